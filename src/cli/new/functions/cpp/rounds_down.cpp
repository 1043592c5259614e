#include <stdexcept>
#include <vector>

// Wrong: whole numbers are divided, which rounds down. A sample has one mistake, and some case must find it.
double average(const std::vector<int> &numbers) {
    if (numbers.empty()) {
        throw std::invalid_argument("no numbers");
    }
    int total = 0;
    for (int number : numbers) {
        total += number;
    }
    return total / static_cast<int>(numbers.size());
}
