// Right, but written in another way than the solution. It must get all points.
function average(numbers) {
  let total = 0;
  let count = 0;
  for (const number of numbers) {
    total += number;
    count++;
  }
  if (count === 0) throw new Error("no numbers");
  return total / count;
}
