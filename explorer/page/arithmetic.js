// The arithmetic of one cell: q·k, divided by the root of d_k, softmax over the row, the weighted values.

const PLACES = 3;

/** A table in a box of its own that scrolls when it is too wide. Rows are [name, cells, whether it is the row in hand]. */
function numbersTable(caption, head, rows) {
  const table = make("table", { class: "plain" }, make("caption", {}, caption));
  table.append(make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))));
  const body = make("tbody");
  for (const [name, cells, here] of rows) {
    const row = make("tr", here ? { class: "here" } : {}, make("th", { scope: "row" }, name));
    row.append(...cells.map((cell) => make("td", {}, typeof cell === "number" ? decimals(cell, PLACES) : cell)));
    body.append(row);
  }
  table.append(body);
  return make("div", { class: "scroll", role: "group", "aria-label": caption }, table);
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
  const { q, k, v, weights, output } = seen.run.layers[layer];
  const qs = q[head][query], ks = k[head][key];
  const products = qs.map((x, i) => x * ks[i]);
  const sum = dot(qs, ks);
  const root = Math.sqrt(qs.length);
  const scaled = state.settings.scale;
  const numbers = qs.map((_, i) => String(i + 1));
  const here = (name, what) => `${name} ${label(tokens, what)}`;
  const row = seen.run.layers[layer].scores[head][query];
  const open = mask[query];
  const largest = Math.max(...row.filter((_, j) => open[j]));
  const powers = row.map((score, j) => (open[j] ? Math.exp(score - largest) : 0));
  const total = powers.reduce((a, b) => a + b, 0);
  const weight = weights[head][query][key];
  const score = decimals(row[key], PLACES);
  place.replaceChildren(
    make("p", {}, `${here("Query", query)}, ${here("key", key)}, in layer ${layer + 1}, head ${head + 1}. Numbers are ` +
      "rounded to three decimals, so the last one may be off by a little when you work it out yourself."),
    make("h3", {}, "1. The query times the key"),
    numbersTable("q · k: multiply number by number, then add", ["number", ...numbers, "sum"], [
      [here("q of", query), [...qs, ""]],
      [here("k of", key), [...ks, ""]],
      ["q times k", [...products, sum], true],
    ]),
    make("h3", {}, "2. The score"),
    make("p", { id: "score-line" }, scaled
      ? `${decimals(sum, PLACES)} ÷ √${qs.length} = ${decimals(sum, PLACES)} ÷ ${decimals(root, PLACES)} = ${score}`
      : `The scale is off: the score is q · k itself, ${score}.`),
    make("h3", {}, "3. Softmax over the row"),
    make("p", {}, `Subtract the row's largest score, ${decimals(largest, PLACES)}, raise e to the rest, and divide by ` +
      `the sum of the powers, ${decimals(total, PLACES)}.` +
      (open[key] ? ` Here: ${decimals(powers[key], PLACES)} ÷ ${decimals(total, PLACES)} = ${decimals(weight, PLACES)}.`
        : " This key is blocked: the mask sets its score to minus infinity, and its weight to 0.")),
    numbersTable(`Softmax over the row of ${label(tokens, query)}`, ["key", "score", "score − largest", "e to that", "weight"], [
      ...tokens.map((_, j) => [
        label(tokens, j),
        open[j] ? [row[j], row[j] - largest, powers[j], weights[head][query][j]] : ["blocked", "−∞", 0, 0],
        j === key,
      ]),
      ["sum", ["", "", total, weights[head][query].reduce((a, b) => a + b, 0)]],
    ]),
    make("h3", {}, "4. The weighted values"),
    make("p", {}, `Each key's value is multiplied by its weight, and all are added. ${label(tokens, key)} adds ` +
      `${decimals(weight, PLACES)} times its value. The sum is what this head hands on to ${label(tokens, query)}; ` +
      "W_O then mixes it with what the other heads hand on."),
    numbersTable("Weights, values, and the sum of weight times value", ["key", "weight", ...numbers.map((n) => `value ${n}`)], [
      ...tokens.map((_, j) => [label(tokens, j), [weights[head][query][j], ...v[head][j]], j === key]),
      ["sum of weight × value", ["", ...output[head][query]]],
    ]),
  );
}
