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
    if (amount > this.balance) throw new Error("not enough money");
    this.balance -= amount;
  }

  toString(): string {
    return `${this.owner}: ${this.balance}`;
  }
}
