#include <iostream>

int main() {
    int first, second;
    std::cout << "First number: ";
    std::cin >> first;
    std::cout << "Second number: ";
    std::cin >> second;
    std::cout << "Sum: " << first + second << '\n';
}
