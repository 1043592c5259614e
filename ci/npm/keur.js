#!/usr/bin/env node
// Starts the program in the package of this system, with the same input, output, exit code and signals.
"use strict";

const { spawn } = require("node:child_process");

const system = `${process.platform}-${process.arch}`;
const systems = Object.keys(require("../package.json").optionalDependencies);

// Ends as keur does when it cannot grade.
function fail(message) {
    console.error(`error: ${message}`);
    process.exit(4);
}

if (!systems.includes(`keur-${system}`)) {
    fail(`there is no npm package of keur for ${system}: build keur with \`cargo install keur\``);
}
let program;
try {
    program = require.resolve(`keur-${system}/bin/keur${process.platform === "win32" ? ".exe" : ""}`);
} catch {
    fail(`the npm package keur-${system}, which contains the program for this system, is not installed: ` +
        "run `npm install keur` again, without `--omit=optional` and without `node_modules` of another system");
}

let child;
// A terminal sends SIGINT to both, and others send signals to this process alone, also as soon as the program has started.
const forwarded = { SIGINT: () => {}, SIGTERM: () => child.kill("SIGTERM"), SIGHUP: () => child.kill("SIGHUP") };
for (const [signal, handler] of Object.entries(forwarded)) {
    process.on(signal, handler);
}
child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`${program} cannot be started: ${error.message}`));
child.on("exit", (code, signal) => {
    if (signal === null) {
        process.exit(code);
    }
    for (const [name, handler] of Object.entries(forwarded)) {
        process.off(name, handler);
    }
    process.kill(process.pid, signal);
});
