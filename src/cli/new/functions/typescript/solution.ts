function average(numbers: number[]): number {
  if (numbers.length === 0) throw new Error("no numbers");
  return numbers.reduce((total, number) => total + number, 0) / numbers.length;
}
