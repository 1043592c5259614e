// Wrong: the average is rounded down. A sample has one mistake, and some case must find it.
function average(numbers) {
  if (numbers.length === 0) throw new Error("no numbers");
  return Math.floor(numbers.reduce((total, number) => total + number, 0) / numbers.length);
}
