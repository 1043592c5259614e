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
const filter = document.querySelector(".filter"), rows = [...document.querySelector(".people").tBodies[0].rows];
const controls = [...filter.querySelectorAll("input, select")];
// Letters that have no accent for Unicode, but are typed without one.
const like = { ø: "o", æ: "ae", ı: "i", ł: "l" };
const plain = text => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[øæıł]/g, letter => like[letter]);
// A name is searched in what the row calls the submission; all else is a value of the row.
const has = (row, name, value) => name === "name"
  ? [...row.querySelectorAll("th, .id")].some(cell => plain(cell.textContent).includes(plain(value.trim())))
  : row.dataset[name]?.split("|").includes(value);
const apply = () => {
  for (const row of rows) row.hidden = !controls.every(({ name, value }) => !value || has(row, name, value));
  filter.querySelector("b").textContent = rows.filter(row => !row.hidden).length;
};
const clear = () => { for (const control of controls) control.value = ""; apply(); };
filter.addEventListener("input", apply);
filter.querySelector("button").addEventListener("click", clear);
filter.hidden = false;
apply();
// What a link leads to is shown: its row is not filtered out, and its fold is open.
const reveal = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.hidden) clear();
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target?.scrollIntoView();
};
addEventListener("hashchange", reveal);
if (location.hash) reveal();
