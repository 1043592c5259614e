// Right, but written in another way than the solution. It must get all points.
const readline = require("readline");

async function main() {
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  let sum = 0;
  for (const which of ["First", "Second"]) {
    process.stdout.write(`${which} number: `);
    sum += Number((await lines.next()).value);
  }
  console.log(`Sum: ${sum}`);
}

main();
