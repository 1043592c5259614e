// Wrong: the balance changes before it is checked. A sample has one mistake, and some case must find it.
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
        balance -= amount;
        if (balance < 0) {
            throw new IllegalArgumentException("not enough money");
        }
    }

    @Override
    public String toString() {
        return owner + ": " + balance;
    }
}
