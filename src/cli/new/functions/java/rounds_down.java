import java.util.List;

// Wrong: whole numbers are divided, which rounds down. A sample has one mistake, and some case must find it.
public class @class@ {
    public static double average(List<Integer> numbers) {
        if (numbers.isEmpty()) {
            throw new IllegalArgumentException("no numbers");
        }
        int total = 0;
        for (int number : numbers) {
            total += number;
        }
        return total / numbers.size();
    }
}
