// Wrong: the balance changes before it is checked. A sample has one mistake, and some case must find it.
class Account {
  constructor(owner) {
    this.owner = owner;
    this.balance = 0;
  }

  deposit(amount) {
    this.balance += amount;
  }

  withdraw(amount) {
    this.balance -= amount;
    if (this.balance < 0) throw new Error("not enough money");
  }

  toString() {
    return `${this.owner}: ${this.balance}`;
  }
}
