// Right, but written in another way than the solution. It must get all points.
class Account {
  owner: string;
  #payments: number[] = [];

  constructor(owner: string) {
    this.owner = owner;
  }

  get balance(): number {
    return this.#payments.reduce((total, amount) => total + amount, 0);
  }

  deposit(amount: number): void {
    this.#payments.push(amount);
  }

  withdraw(amount: number): void {
    if (amount > this.balance) throw new Error("not enough money");
    this.#payments.push(-amount);
  }

  toString(): string {
    return `${this.owner}: ${this.balance}`;
  }
}
