// Right, but written in another way than the solution. It must get all points.
function average(numbers: number[]): number {
  let total: number = 0;
  let count: number = 0;
  for (const number of numbers) {
    total += number;
    count++;
  }
  if (count === 0) throw new Error("no numbers");
  return total / count;
}
