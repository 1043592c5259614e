#include <iostream>
#include <stdexcept>
#include <string>

class Account {
    std::string owner;

public:
    int balance = 0;

    Account(std::string owner) : owner(owner) {}

    void deposit(int amount) {
        balance += amount;
    }

    void withdraw(int amount) {
        if (amount > balance) {
            throw std::invalid_argument("not enough money");
        }
        balance -= amount;
    }

    friend std::ostream &operator<<(std::ostream &out, const Account &account) {
        return out << account.owner << ": " << account.balance;
    }
};
