import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

// Right, but written in another way than the solution. It must get all points.
public class @class@ {
    private static final BufferedReader IN = new BufferedReader(new InputStreamReader(System.in));

    private static int ask(String which) throws IOException {
        System.out.print(which + " number: ");
        return Integer.parseInt(IN.readLine().strip());
    }

    public static void main(String[] args) throws IOException {
        System.out.printf("Sum: %d%n", ask("First") + ask("Second"));
    }
}
