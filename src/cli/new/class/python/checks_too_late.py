# Wrong: the balance changes before it is checked. A sample has one mistake, and some case must find it.
class Account:
    def __init__(self, owner):
        self.owner = owner
        self.balance = 0

    def deposit(self, amount):
        self.balance += amount

    def withdraw(self, amount):
        self.balance -= amount
        if self.balance < 0:
            raise ValueError("not enough money")

    def __str__(self):
        return f"{self.owner}: {self.balance}"
