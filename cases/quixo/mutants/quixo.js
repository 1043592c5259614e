class Quixo {
    constructor(n, str) {
        if (typeof n !== "number") throw new Error("ongeldig rooster");
        if (!Number.isInteger(n)) throw new Error("ongeldig rooster");
        if (n < 1) throw new Error("ongeldig rooster");
        if (n > 26) throw new Error("ongeldig rooster");
        if (str === undefined) {
            str = "-".repeat(n * n);
        }
        if (typeof str !== "string") throw new Error("ongeldig rooster");
        if (!/^[XO-]*$/.test(str)) throw new Error("ongeldig rooster");
        if (str.length !== n * n) throw new Error("ongeldig rooster");
        this.n = n;
        this.rows = [];
        for (let r = 0; r < n; r++) {
            this.rows.push(str.slice(r * n, r * n + n).split(""));
        }
    }

    toString() {
        return this.rows.map(row => row.join("")).join("\n");
    }

    positie(positie) {
        const found = /^([A-Z])([1-9][0-9]*)$/.exec(positie);
        if (found === null) throw new Error("ongeldige positie");
        const row = Number(found[2]) - 1;
        const column = found[1].charCodeAt(0) - 65;
        if (row >= this.n) throw new Error("ongeldige positie");
        if (column >= this.n) throw new Error("ongeldige positie");
        return [row, column];
    }

    beurt(symbool, van, naar) {
        const [r1, c1] = this.positie(van);
        const [r2, c2] = this.positie(naar);
        const last = this.n - 1;
        const face = this.rows[r1][c1];
        if (symbool !== "X" && symbool !== "O") throw new Error("ongeldige beurt");
        if (face !== "-" && face !== symbool) throw new Error("ongeldige beurt");
        if (r1 > 0 && r1 < last && c1 > 0 && c1 < last) throw new Error("ongeldige beurt");
        if (r1 === r2 && c1 !== c2 && (c2 === 0 || c2 === last)) {
            const row = this.rows[r1];
            row.splice(c1, 1);
            row.splice(c2, 0, symbool);
        } else if (c1 === c2 && r1 !== r2 && (r2 === 0 || r2 === last)) {
            const column = this.rows.map(row => row[c1]);
            column.splice(r1, 1);
            column.splice(r2, 0, symbool);
            column.forEach((face, r) => {
                this.rows[r][c1] = face;
            });
        } else {
            throw new Error("ongeldige beurt");
        }
        return this;
    }
}
