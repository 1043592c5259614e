import java.util.Scanner;

public class @class@ {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        System.out.print("First number: ");
        int first = in.nextInt();
        System.out.print("Second number: ");
        int second = in.nextInt();
        System.out.println("Sum: " + (first + second));
    }
}
