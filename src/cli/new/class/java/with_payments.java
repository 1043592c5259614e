import java.util.ArrayList;
import java.util.List;

// Right, but written in another way than the solution. It must get all points.
public class Account {
    private final String owner;
    private final List<Integer> payments = new ArrayList<>();

    public Account(String owner) {
        this.owner = owner;
    }

    public int getBalance() {
        return payments.stream().mapToInt(Integer::intValue).sum();
    }

    public void deposit(int amount) {
        payments.add(amount);
    }

    public void withdraw(int amount) {
        if (amount > getBalance()) {
            throw new IllegalArgumentException("not enough money");
        }
        payments.add(-amount);
    }

    @Override
    public String toString() {
        return owner + ": " + getBalance();
    }
}
