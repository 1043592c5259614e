#include <numeric>
#include <stdexcept>
#include <vector>

// Right, but written in another way than the solution. It must get all points.
double average(std::vector<double> numbers) {
    if (numbers.size() == 0) {
        throw std::runtime_error("no numbers");
    }
    return std::accumulate(numbers.begin(), numbers.end(), 0.0) / numbers.size();
}
