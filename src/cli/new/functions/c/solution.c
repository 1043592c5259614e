#include <errno.h>
#include <stddef.h>

double average(const int *numbers, size_t n) {
    if (n == 0) {
        errno = EDOM;
        return 0;
    }
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        total += numbers[i];
    }
    return total / n;
}
