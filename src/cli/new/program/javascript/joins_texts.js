// Wrong: a line is text, and `+` joins it. A sample has one mistake, and some case must find it.
const readline = require("readline");

const questions = ["First number: ", "Second number: "];
const numbers = [];
const lines = readline.createInterface({ input: process.stdin });

process.stdout.write(questions[0]);
lines.on("line", (line) => {
  numbers.push(line);
  if (numbers.length < questions.length) {
    process.stdout.write(questions[numbers.length]);
  } else {
    console.log(`Sum: ${numbers[0] + numbers[1]}`);
    lines.close();
  }
});
