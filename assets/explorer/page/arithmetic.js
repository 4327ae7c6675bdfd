// The arithmetic of one cell: q·k, divided by the root of d_k, softmax over the row, the weighted values.

const PLACES = 3;

/** A table in a box of its own that scrolls when it is too wide, below its name. Rows are [name, cells, in hand or not]. */
function numbersTable(caption, head, rows) {
  const table = make("table", { class: "plain", "aria-label": caption });
  table.append(make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))));
  const body = make("tbody");
  for (const [name, cells, here] of rows) {
    const row = make("tr", here ? { class: "here" } : {}, make("th", { scope: "row" }, name));
    row.append(...cells.map((cell) => make("td", {}, typeof cell === "number" ? decimals(cell, PLACES) : cell)));
    body.append(row);
  }
  table.append(body);
  return make("div", {}, make("p", { class: "caption" }, caption),
    make("div", { class: "scroll", role: "group", "aria-label": caption }, table));
}

const three = (number) => decimals(number, PLACES);

/** Steps 1 and 2: q·k number by number, and the score that it becomes. */
function productStep(tokens, q, k, score) {
  const products = q.map((x, i) => x * k[i]);
  const sum = dot(q, k);
  const divided = `${three(sum)} ÷ √${q.length} = ${three(sum)} ÷ ${three(Math.sqrt(q.length))} = ${three(score)}`;
  const head = ["number", `q of ${label(tokens, state.query)}`, `k of ${label(tokens, state.key)}`, "q times k"];
  return make("div", {},
    make("h3", {}, "1. The query times the key"),
    numbersTable("q · k: multiply number by number, then add", head, [
      ...q.map((_, i) => [i + 1, [q[i], k[i], products[i]]]),
      ["sum", ["", "", sum], true],
    ]),
    make("h3", {}, "2. The score"),
    make("p", { id: "score-line" },
      state.settings.scale ? divided : `The scale is off: the score is q · k itself, ${three(score)}.`));
}

/** Step 3: scores (key,) and who is open (key,) -> weights (key,). */
function softmaxStep(tokens, scores, open, weights) {
  const largest = Math.max(...scores.filter((_, j) => open[j]));
  const powers = scores.map((score, j) => (open[j] ? Math.exp(score - largest) : 0));
  const total = powers.reduce((a, b) => a + b, 0);
  const mine = open[state.key]
    ? `Here: ${three(powers[state.key])} ÷ ${three(total)} = ${three(weights[state.key])}.`
    : "This key is blocked: the mask sets its score to minus infinity, and its weight to 0.";
  const head = ["key", "score", "score − largest", "e to that", "weight"];
  return make("div", {},
    make("h3", {}, "3. Softmax over the row"),
    make("p", {}, `Subtract the row's largest score, ${three(largest)}, raise e to the rest, and divide by the sum of ` +
      `the powers, ${three(total)}. ${mine}`),
    numbersTable(`Softmax over the row of ${label(tokens, state.query)}`, head, [
      ...tokens.map((_, j) => [
        label(tokens, j),
        open[j] ? [scores[j], scores[j] - largest, powers[j], weights[j]] : ["blocked", "−∞", 0, 0],
        j === state.key,
      ]),
      ["sum", ["", "", total, weights.reduce((a, b) => a + b, 0)]],
    ]));
}

/** Step 4: weights (key,) and values (key, d_k) -> output (d_k,). */
function valuesStep(tokens, weights, values, output) {
  const head = ["key", "weight", ...output.map((_, i) => `value ${i + 1}`)];
  return make("div", {},
    make("h3", {}, "4. The weighted values"),
    make("p", {}, `Each key's value is multiplied by its weight, and all are added. ${label(tokens, state.key)} adds ` +
      `${three(weights[state.key])} times its value. The sum is what this head hands on to ` +
      `${label(tokens, state.query)}; W_O then mixes it with what the other heads hand on.`),
    numbersTable("Weights, values, and the sum of weight times value", head, [
      ...tokens.map((_, j) => [label(tokens, j), [weights[j], ...values[j]], j === state.key]),
      ["sum of weight × value", ["", ...output]],
    ]));
}

function showArithmetic(seen) {
  const place = byId("arithmetic");
  if (!seen.run) {
    place.replaceChildren(make("p", {}, "These weights come from a file, and a file holds no queries, keys and values. " +
      "The arithmetic can be followed for this page's encoder."));
    return;
  }
  const { tokens, mask } = seen;
  const { layer, head, query, key } = state;
  const { q, k, v, scores, weights, output } = seen.run.layers[layer];
  const row = weights[head][query];
  place.replaceChildren(
    make("p", {}, `Query ${label(tokens, query)}, key ${label(tokens, key)}, in layer ${layer + 1}, head ${head + 1}. ` +
      "Numbers are rounded to three decimals, so the last one may be off by a little when you work it out yourself."),
    make("div", { class: "beside" },
      productStep(tokens, q[head][query], k[head][key], scores[head][query][key]),
      softmaxStep(tokens, scores[head][query], mask[query], row)),
    valuesStep(tokens, row, v[head], output[head][query]),
  );
}
