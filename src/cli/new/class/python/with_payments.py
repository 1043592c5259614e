# Right, but written in another way than the solution. It must get all points.
class Account:
    def __init__(self, owner):
        self.owner = owner
        self.payments = []

    @property
    def balance(self):
        return sum(self.payments)

    def deposit(self, amount):
        self.payments.append(amount)

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough money")
        self.payments.append(-amount)

    def __str__(self):
        return f"{self.owner}: {self.balance}"
