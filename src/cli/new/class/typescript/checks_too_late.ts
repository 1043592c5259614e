// Wrong: the balance changes before it is checked. A sample has one mistake, and some case must find it.
class Account {
  owner: string;
  balance: number;

  constructor(owner: string) {
    this.owner = owner;
    this.balance = 0;
  }

  deposit(amount: number): void {
    this.balance += amount;
  }

  withdraw(amount: number): void {
    this.balance -= amount;
    if (this.balance < 0) throw new Error("not enough money");
  }

  toString(): string {
    return `${this.owner}: ${this.balance}`;
  }
}
