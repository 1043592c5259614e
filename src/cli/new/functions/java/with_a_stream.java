import java.util.List;

// Right, but written in another way than the solution. It must get all points.
public class @class@ {
    public static double average(List<Integer> numbers) {
        return numbers.stream()
                .mapToInt(Integer::intValue)
                .average()
                .orElseThrow(() -> new IllegalArgumentException("no numbers"));
    }
}
