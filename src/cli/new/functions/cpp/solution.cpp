#include <stdexcept>
#include <vector>

double average(const std::vector<double> &numbers) {
    if (numbers.empty()) {
        throw std::invalid_argument("no numbers");
    }
    double total = 0;
    for (double number : numbers) {
        total += number;
    }
    return total / numbers.size();
}
