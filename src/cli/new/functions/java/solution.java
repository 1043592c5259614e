import java.util.List;

public class @class@ {
    public static double average(List<Integer> numbers) {
        if (numbers.isEmpty()) {
            throw new IllegalArgumentException("no numbers");
        }
        double total = 0;
        for (int number : numbers) {
            total += number;
        }
        return total / numbers.size();
    }
}
