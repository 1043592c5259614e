#include <stdio.h>

int main(void) {
    int first, second;
    printf("First number: ");
    scanf("%d", &first);
    printf("Second number: ");
    scanf("%d", &second);
    printf("Sum: %d\n", first + second);
    return 0;
}
