class Account {
  constructor(owner) {
    this.owner = owner;
    this.balance = 0;
  }

  deposit(amount) {
    this.balance += amount;
  }

  withdraw(amount) {
    if (amount > this.balance) throw new Error("not enough money");
    this.balance -= amount;
  }

  toString() {
    return `${this.owner}: ${this.balance}`;
  }
}
