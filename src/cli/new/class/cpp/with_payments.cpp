#include <stdexcept>
#include <string>
#include <vector>

// Right, but written in another way than the solution. It must get all points.
class Account {
    std::string owner;
    std::vector<int> payments;

public:
    Account(const std::string &owner) : owner(owner) {}

    int getBalance() const {
        int total = 0;
        for (int amount : payments) {
            total += amount;
        }
        return total;
    }

    void deposit(int amount) {
        payments.push_back(amount);
    }

    void withdraw(int amount) {
        if (amount > getBalance()) {
            throw std::runtime_error("not enough money");
        }
        payments.push_back(-amount);
    }

    std::string toString() const {
        return owner + ": " + std::to_string(getBalance());
    }
};
