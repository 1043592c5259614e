const readline = require("readline");

const questions = ["First number: ", "Second number: "];
const numbers = [];
const lines = readline.createInterface({ input: process.stdin });

process.stdout.write(questions[0]);
lines.on("line", (line) => {
  numbers.push(Number(line));
  if (numbers.length < questions.length) {
    process.stdout.write(questions[numbers.length]);
  } else {
    console.log(`Sum: ${numbers[0] + numbers[1]}`);
    lines.close();
  }
});
