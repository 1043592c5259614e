class Pipopipette {
    constructor(m, n) {
        if (n === undefined) n = m;
        if (m < 2) throw new Error("invalid dimensions");
        if (n < 2) throw new Error("invalid dimensions");
        this.m = m;
        this.n = n;
        this.points = [0, 0];
        this.turn = 0;
        this.horizontal = [];
        for (let r = 0; r < m; r++) this.horizontal.push(new Array(n - 1).fill(false));
        this.vertical = [];
        for (let r = 0; r < m - 1; r++) this.vertical.push(new Array(n).fill(false));
        this.boxes = [];
        for (let r = 0; r < m - 1; r++) this.boxes.push(new Array(n - 1).fill("?"));
    }

    score() {
        return this.points.slice();
    }

    player() {
        return "AB"[this.turn];
    }

    claim(pos) {
        if (typeof pos !== "string") throw new Error("invalid position");
        const found = /^([HV])(0|[1-9][0-9]*),(0|[1-9][0-9]*)$/.exec(pos);
        if (found === null) throw new Error("invalid position");
        const r = Number(found[2]);
        const k = Number(found[3]);
        const lines = found[1] === "H" ? this.horizontal : this.vertical;
        if (r >= lines.length) throw new Error("invalid position");
        if (k >= lines[r].length) throw new Error("invalid position");
        if (lines[r][k]) throw new Error("dots already connected");
        lines[r][k] = true;
        let closed = this.close(r, k);
        if (found[1] === "H") {
            closed += this.close(r - 1, k);
        } else {
            closed += this.close(r, k - 1);
        }
        if (closed === 0) this.turn = 1 - this.turn;
        return this;
    }

    close(r, k) {
        if (r < 0 || r >= this.m - 1) return 0;
        if (k < 0 || k >= this.n - 1) return 0;
        const horizontal = this.horizontal[r][k] && this.horizontal[r + 1][k];
        const vertical = this.vertical[r][k] && this.vertical[r][k + 1];
        if (!horizontal || !vertical) return 0;
        this.boxes[r][k] = this.player();
        this.points[this.turn] += 1;
        return 1;
    }

    toString() {
        const lines = [];
        for (let r = 0; r < this.m; r++) {
            lines.push("+" + this.horizontal[r].map(drawn => (drawn ? "-+" : ".+")).join(""));
            if (r < this.m - 1) {
                const cells = this.vertical[r].map((drawn, k) => (drawn ? "|" : ".") + (this.boxes[r][k] || ""));
                lines.push(cells.join(""));
            }
        }
        return lines.join("\n");
    }
}
