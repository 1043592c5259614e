#include <stdio.h>

// Wrong: it reads a character, which is no number. A sample has one mistake, and some case must find it.
int main(void) {
    char first, second;
    printf("First number: ");
    scanf(" %c", &first);
    printf("Second number: ");
    scanf(" %c", &second);
    printf("Sum: %d\n", first + second);
    return 0;
}
