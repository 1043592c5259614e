#include <iostream>
#include <string>

// Wrong: `+` joins texts. A sample has one mistake, and some case must find it.
int main() {
    std::string first, second;
    std::cout << "First number: ";
    std::cin >> first;
    std::cout << "Second number: ";
    std::cin >> second;
    std::cout << "Sum: " << first + second << '\n';
}
