#include <iostream>
#include <stdexcept>
#include <string>

// Wrong: the balance changes before it is checked. A sample has one mistake, and some case must find it.
class Account {
    std::string owner;

public:
    int balance = 0;

    Account(std::string owner) : owner(owner) {}

    void deposit(int amount) {
        balance += amount;
    }

    void withdraw(int amount) {
        balance -= amount;
        if (balance < 0) {
            throw std::invalid_argument("not enough money");
        }
    }

    friend std::ostream &operator<<(std::ostream &out, const Account &account) {
        return out << account.owner << ": " << account.balance;
    }
};
