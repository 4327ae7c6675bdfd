// Draws the state: tokens, answer, all heads, one head, and what is said about the cell in hand.

let drawn = null; // what `shown` gave for the last drawing

/** Everything anew. */
function draw() {
  drawn = shown();
  const { tokens, weights } = drawn;
  state.layer = Math.min(state.layer, weights.length - 1);
  state.head = Math.min(state.head, weights[0].length - 1);
  state.query = Math.min(state.query, tokens.length - 1);
  state.key = Math.min(state.key, tokens.length - 1);
  showControls();
  showTokens();
  showAnswer();
  say("all-source", sourceWords());
  say("head-source", sourceWords());
  showAll();
  showHead();
  showCell();
}

/** The controls say what the state is, whoever set it. */
function showControls() {
  const { model, scale, causal, padding, hide_padding, without } = state.settings;
  const pick = (name, value) => {
    for (const radio of document.getElementsByName(name)) radio.checked = radio.value === value;
  };
  pick("model", model);
  pick("padding", padding ? (hide_padding ? "masked" : "open") : "none");
  pick("source", state.source);
  byId("scale").checked = scale;
  byId("causal").checked = causal;
  const options = [make("option", { value: "-1" }, "none"),
    ...state.words.map((_, i) => make("option", { value: i }, label(state.words, i)))];
  byId("without").replaceChildren(...options);
  byId("without").value = String(without);
  const sentence = state.words.join(" ");
  byId("choose").value = course.sentences.includes(sentence) ? sentence : "";
}

function showTokens() {
  byId("tokens").replaceChildren(...drawn.tokens.map((token, i) => {
    const item = make("li", {}, make("small", {}, i), " ", spoken(token));
    const unknown = drawn.run && !course.vocabulary.includes(token);
    if (unknown) item.append(" ", make("small", {}, "(unknown)"));
    if (drawn.run && i === state.settings.without) item.append(" ", make("small", {}, "(taken away)"));
    return item;
  }));
}

function showAnswer() {
  if (!drawn.run) say("answer", "The pictures show weights from a file, which says nothing about an answer.");
  else if (!drawn.run.probabilities) say("answer", "There is no gap in the sentence, so there is no answer.");
  else {
    const chances = drawn.run.probabilities;
    const best = chances.indexOf(Math.max(...chances));
    const parts = course.answers.map((answer, i) => `“${answer}” ${decimals(chances[i], 2)}`).join(" and ");
    const sure = chances[best] < 0.7 ? ", which is hardly more than a guess" : "";
    say("answer", `The encoder answers “${course.answers[best]}”${sure}. Probabilities: ${parts}.`);
  }
}

/** One head as a small picture without words; the button around it has them. */
function thumbnail(rows) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
  picture.setAttribute("aria-hidden", "true");
  picture.setAttribute("shape-rendering", "crispEdges");
  rows.forEach((row, i) => row.forEach((weight, j) => {
    const cell = document.createElementNS(space, "rect");
    for (const [name, value] of Object.entries({ x: j, y: i, width: 1, height: 1, fill: `rgb(${shade(weight).join(",")})` })) {
      cell.setAttribute(name, value);
    }
    picture.append(cell);
  }));
  return picture;
}

/** In words: where a head's rows have their largest weights, on average. */
function describeHead(rows) {
  const largest = rows.map((row) => Math.max(...row));
  return `mean of the largest weight per row ${decimals(largest.reduce((a, b) => a + b, 0) / rows.length, 2)}`;
}

const walkAll = walk(byId("all"), (row, column) => walkAll(row, column));

function showAll() {
  const { weights } = drawn;
  const heads = weights[0].map((_, h) => make("th", { scope: "col" }, `head ${h + 1}`));
  const table = byId("all");
  const kept = table.contains(document.activeElement); // the drawing replaces the button that has the focus
  const body = weights.map((layer, l) => make("tr", {}, make("th", { scope: "row" }, `layer ${l + 1}`),
    ...layer.map((rows, h) => {
      const pressed = l === state.layer && h === state.head;
      const button = make("button", {
        type: "button", "data-row": l, "data-column": h, "aria-pressed": pressed,
        "aria-label": `layer ${l + 1}, head ${h + 1}: ${describeHead(rows)}`,
      }, `${l + 1}.${h + 1}`, thumbnail(rows));
      button.addEventListener("click", () => {
        Object.assign(state, { layer: l, head: h });
        draw();
      });
      return make("td", {}, button);
    })));
  table.replaceChildren(
    make("thead", {}, make("tr", {}, make("td"), ...heads)), make("tbody", {}, ...body)
  );
  const button = walkAll(state.layer, state.head);
  if (kept) button.focus();
}

/** Which weights the pictures show. */
function sourceWords() {
  if (state.source !== "model") return `From the file: ${state.source === "mine" ? "mine" : "the reference"}`;
  const { model, scale, causal, padding, hide_padding, without } = state.settings;
  const parts = [model, scale ? "" : "without the scale", causal ? "causal mask" : ""];
  if (padding) parts.push(hide_padding ? "padding masked" : "padding not masked");
  if (without >= 0) parts.push(`without ${label(state.words, without)}`);
  return `This page's encoder: ${parts.filter(Boolean).join(", ")}`;
}

const walkHead = walk(byId("head"), (row, column) => {
  Object.assign(state, { query: row, key: column });
  showCell();
});

function showHead() {
  const { tokens, weights, mask } = drawn;
  const rows = weights[state.layer][state.head];
  byId("head-title").textContent = `One head: layer ${state.layer + 1}, head ${state.head + 1}`;
  const names = tokens.map((token, j) => make("th", { scope: "col" }, `${j} `, make("span", {}, spoken(token))));
  const corner = make("td", { class: "corner" }, make("span", { class: "axis" }, "query ↓ key →"));
  const body = rows.map((row, i) => make("tr", {}, make("th", { scope: "row" }, label(tokens, i)),
    ...row.map((weight, j) => {
      const blocked = mask && !mask[i][j];
      const cell = make("td", { role: "gridcell", "data-row": i, "data-column": j, tabindex: "-1" },
        blocked ? "–" : decimals(weight, 2));
      if (blocked) {
        cell.className = "blocked";
        cell.setAttribute("aria-label", "blocked");
      } else paint(cell, weight);
      return cell;
    })));
  byId("head").replaceChildren(
    make("thead", {}, make("tr", {}, corner, ...names)), make("tbody", {}, ...body));
}

/** What is under the cursor: its ring, its sentence, its row and its arithmetic. */
function showCell() {
  const { tokens, weights, mask } = drawn;
  const { layer, head, query, key } = state;
  for (const cell of byId("head").querySelectorAll("[aria-selected]")) cell.removeAttribute("aria-selected");
  const cell = walkHead(query, key);
  cell.setAttribute("aria-selected", "true");
  reveal(cell);
  const row = weights[layer][head][query];
  const other = comparedCell();
  const value = mask && !mask[query][key] ? "blocked, weight 0" : `weight ${decimals(row[key], other ? 4 : 2)}`;
  say("cell-live", `query ${label(tokens, query)}, key ${label(tokens, key)}: ${value}${other}`);
  const order = row.map((_, j) => j).filter((j) => row[j] >= 0.005).sort((a, b) => row[b] - row[a]).slice(0, 3);
  say("row-live", `The row of ${label(tokens, query)} has most weight on ` +
    `${order.map((j) => `${label(tokens, j)} (${decimals(row[j], 2)})`).join(", ")}.`);
  showArithmetic(drawn);
  markScrollers();
}

/** Scroll the box around a cell, and not the page, until the cell stands beside the names of the queries. */
function reveal(cell) {
  const box = cell.closest(".scroll");
  const names = cell.parentElement.firstElementChild.getBoundingClientRect().right;
  const { left, right } = cell.getBoundingClientRect();
  const edge = box.getBoundingClientRect().right;
  if (left < names) box.scrollLeft -= names - left;
  else if (right > edge) box.scrollLeft += right - edge;
}

/** A box that scrolls can be reached by Tab, so that the arrow keys scroll it; one that does not is no stop. */
function markScrollers() {
  for (const box of document.querySelectorAll(".scroll")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

function showLegend() {
  byId("legend").replaceChildren("Weights: ", ...[0, 0.25, 0.5, 0.75, 1].map((weight) => {
    const box = make("span", {}, decimals(weight, 2));
    paint(box, weight);
    return box;
  }));
  const blocked = make("span", { class: "blocked" }, "–");
  byId("legend").append(make("span", { class: "entry" }, blocked, " blocked by a mask"));
}
