// Right, but written in another way than the solution. It must get all points.
class Account {
  #payments = [];

  constructor(owner) {
    this.owner = owner;
  }

  get balance() {
    return this.#payments.reduce((total, amount) => total + amount, 0);
  }

  deposit(amount) {
    this.#payments.push(amount);
  }

  withdraw(amount) {
    if (amount > this.balance) throw new Error("not enough money");
    this.#payments.push(-amount);
  }

  toString() {
    return `${this.owner}: ${this.balance}`;
  }
}
