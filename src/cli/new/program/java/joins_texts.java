import java.util.Scanner;

// Wrong: `+` after a text joins, from left to right. A sample has one mistake, and some case must find it.
public class @class@ {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        System.out.print("First number: ");
        int first = in.nextInt();
        System.out.print("Second number: ");
        int second = in.nextInt();
        System.out.println("Sum: " + first + second);
    }
}
