"use strict";
// Sorts a table by the column whose heading is pressed: up, down, then as it was.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells], rows = [...body.rows];
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const key = (row, column) => row.cells[column]?.dataset.key ?? row.cells[column]?.textContent.trim() ?? "";
  // What has no value stands last, in either direction.
  const compare = (one, other, sign) =>
    one === "" || other === "" ? (one === "") - (other === "") : sign * order.compare(one, other);
  const put = rows => { body.replaceChildren(); for (const row of rows) body.append(row); };
  const sort = (column, direction) => {
    heads.forEach((head, index) => index === column && direction
      ? head.setAttribute("aria-sort", direction) : head.removeAttribute("aria-sort"));
    if (!direction) return put(rows);
    const sign = direction === "ascending" ? 1 : -1;
    const keyed = rows.filter(row => row.cells.length === heads.length).map(row => [key(row, column), row]);
    put(keyed.sort((one, other) => compare(one[0], other[0], sign)).map(pair => pair[1]));
  };
  const next = { ascending: "descending", descending: "" };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      sort(column, before ? next[before] : "ascending");
    });
    head.append(button);
  });
  table.classList.add("sorts");
}
