// Small parts that every section uses: elements, numbers as text, colours, and a grid that arrow keys walk.

const byId = (id) => document.getElementById(id);

/** A new element. Whatever anybody typed goes in as text, never as markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/** Put text into an element; a screen reader repeats a live text only where it has changed. */
function say(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

/** A number with so many decimals, with a real minus sign and never "-0". */
function decimals(number, places) {
  const text = number.toFixed(places);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "\u2212");
}

// Light is 0 and dark is 1, in the light and in the dark scheme: the colours of seaborn's "Blues", as in the notebooks.
const BLUES = [
  [247, 251, 255], [222, 235, 247], [198, 219, 239], [158, 202, 225], [107, 174, 214],
  [66, 146, 198], [33, 113, 181], [8, 81, 156], [8, 48, 107],
];

/** The colour of a weight between 0 and 1 as [red, green, blue]. */
function shade(weight) {
  const place = Math.min(Math.max(weight, 0), 1) * (BLUES.length - 1);
  const low = Math.min(Math.floor(place), BLUES.length - 2);
  return BLUES[low].map((channel, i) => Math.round(channel + (place - low) * (BLUES[low + 1][i] - channel)));
}

/** Black or white, whichever has more contrast on this colour: that is 4.58 to 1 at the least. */
function ink(colour) {
  const [r, g, b] = colour.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? "#000" : "#fff";
}

function paint(element, weight) {
  const colour = shade(weight);
  element.style.backgroundColor = `rgb(${colour.join(", ")})`;
  element.style.color = ink(colour);
}

/**
 * Make a grid one stop of the Tab key, in which the arrow keys, Home, End, Ctrl+Home and Ctrl+End walk.
 * Its cells carry data-row and data-column. `moved(row, column)` is told where the walk is.
 * Returns a function go(row, column) that moves the tab stop there without taking the focus.
 */
function walk(table, moved) {
  const cellAt = (row, column) => table.querySelector(`[data-row="${row}"][data-column="${column}"]`);
  const cellOf = (target) => target.closest("[data-row]");
  const go = (row, column) => {
    for (const cell of table.querySelectorAll("[data-row]")) cell.tabIndex = -1;
    const cell = cellAt(row, column);
    if (cell) cell.tabIndex = 0;
    return cell;
  };
  const visit = (row, column) => {
    const cell = go(row, column);
    if (!cell) return;
    cell.focus();
    moved(row, column);
  };
  table.addEventListener("keydown", (event) => {
    const cell = cellOf(event.target);
    if (!cell || event.altKey || event.metaKey) return;
    const cells = [...table.querySelectorAll("[data-row]")];
    const lastRow = Math.max(...cells.map((c) => Number(c.dataset.row)));
    const lastColumn = Math.max(...cells.map((c) => Number(c.dataset.column)));
    let row = Number(cell.dataset.row), column = Number(cell.dataset.column);
    if (event.key === "ArrowUp") row -= 1;
    else if (event.key === "ArrowDown") row += 1;
    else if (event.key === "ArrowLeft") column -= 1;
    else if (event.key === "ArrowRight") column += 1;
    else if (event.key === "Home") [row, column] = [event.ctrlKey ? 0 : row, 0];
    else if (event.key === "End") [row, column] = [event.ctrlKey ? lastRow : row, lastColumn];
    else return;
    event.preventDefault();
    visit(Math.min(Math.max(row, 0), lastRow), Math.min(Math.max(column, 0), lastColumn));
  });
  table.addEventListener("click", (event) => {
    const cell = cellOf(event.target);
    if (cell) visit(Number(cell.dataset.row), Number(cell.dataset.column));
  });
  return go;
}
