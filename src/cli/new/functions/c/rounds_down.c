#include <errno.h>
#include <stddef.h>

// Wrong: whole numbers are divided, which rounds down. A sample has one mistake, and some case must find it.
double average(const int *numbers, size_t n) {
    if (n == 0) {
        errno = EDOM;
        return 0;
    }
    int total = 0;
    for (size_t i = 0; i < n; i++) {
        total += numbers[i];
    }
    return total / (int)n;
}
