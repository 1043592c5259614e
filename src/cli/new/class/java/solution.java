public class Account {
    private final String owner;
    private int balance = 0;

    public Account(String owner) {
        this.owner = owner;
    }

    public int getBalance() {
        return balance;
    }

    public void deposit(int amount) {
        balance += amount;
    }

    public void withdraw(int amount) {
        if (amount > balance) {
            throw new IllegalArgumentException("not enough money");
        }
        balance -= amount;
    }

    @Override
    public String toString() {
        return owner + ": " + balance;
    }
}
