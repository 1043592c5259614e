#include <errno.h>
#include <stddef.h>

// Right, but written in another way than the solution. It must get all points.
double average(const int *numbers, size_t n) {
    long total = 0;
    for (const int *number = numbers; number < numbers + n; number++) {
        total += *number;
    }
    if (n == 0) {
        errno = EDOM;
        return 0;
    }
    return (double)total / n;
}
