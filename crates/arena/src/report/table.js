// Columns that sort on a click: by the cells' `data-v`, or their text.
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const upwards = head.getAttribute("aria-sort") === "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
      const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent.trim();
      const compare = (a, b) => {
        const [x, y] = [value(a), value(b)];
        const difference = Number(x) - Number(y);
        return Number.isNaN(difference) ? x.localeCompare(y) : difference;
      };
      const body = table.tBodies[0];
      const rows = [...body.rows].sort((a, b) => (upwards ? compare(a, b) : compare(b, a)));
      body.append(...rows);
    });
  });
}
