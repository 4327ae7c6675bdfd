// Sorts tables by the column whose heading is pressed, and hides rows without the words in the box above a table.
// Everything is on the page without this.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
      const order = (one, other) => {
        const [a, b] = [value(one), value(other)];
        const numbers = a !== "" && b !== "" && !isNaN(a) && !isNaN(b);
        return (numbers ? a - b : a.localeCompare(b)) * (down ? -1 : 1);
      };
      body.append(...[...body.rows].sort(order));
    });
  });
  const box = document.createElement("input");
  box.type = "search";
  box.placeholder = "Show only rows with ...";
  box.setAttribute("aria-label", "Show only rows with these words: " + (table.caption?.textContent ?? ""));
  box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of body.rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
  const holder = table.closest(".wide") ?? table;
  holder.before(box);
}
