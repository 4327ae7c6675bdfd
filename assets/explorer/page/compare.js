// Weights from a notebook against a reference: read the file with care, find where the two differ most.

const FORMAT = "attention-weights-1";
const MOST = { layers: 12, heads: 16, tokens: 40, letters: 40 };
const CLOSE = 1e-4; // differences below it count as rounding

const comparison = { file: null, reference: null, found: null };

/** Array of this length whose every item passes, or an error with this name. */
function listOf(value, length, name, item) {
  if (!Array.isArray(value)) throw new Error(`${name} should be a list.`);
  if (length !== null && value.length !== length) throw new Error(`${name} has ${value.length} entries, not ${length}.`);
  return value.map((entry, i) => item(entry, i));
}

function readWeights(value, name, count) {
  if (!Array.isArray(value) || !value.length || value.length > MOST.layers) {
    throw new Error(`${name} should be a list of 1 to ${MOST.layers} layers.`);
  }
  const heads = Array.isArray(value[0]) ? value[0].length : 0;
  if (!heads || heads > MOST.heads) throw new Error(`Each layer of ${name} should be a list of 1 to ${MOST.heads} heads.`);
  return listOf(value, null, name, (layer, l) =>
    listOf(layer, heads, `Layer ${l + 1} of ${name}`, (head, h) =>
      listOf(head, count, `Layer ${l + 1}, head ${h + 1} of ${name}`, (row, q) =>
        listOf(row, count, `Row ${q} of layer ${l + 1}, head ${h + 1} of ${name}`, (weight) => {
          if (typeof weight !== "number" || !Number.isFinite(weight)) {
            throw new Error(`Row ${q} of layer ${l + 1}, head ${h + 1} of ${name} holds something that is no finite number.`);
          }
          return weight;
        }))));
}

/** Text of a file -> {tokens, weights, reference or null}. Throws an Error whose message is a sentence. */
function readMine(text) {
  if (text.length > 20e6) throw new Error("This is more than 20 MB, which is too much for one sentence.");
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("This is not JSON. Take the whole text of the file that export_attention has written.");
  }
  if (!value || typeof value !== "object" || value.format !== FORMAT) {
    throw new Error(`This is not a file of export_attention: its "format" should be "${FORMAT}".`);
  }
  const tokens = listOf(value.tokens, null, "tokens", (token) => String(token).slice(0, MOST.letters));
  if (!tokens.length || tokens.length > MOST.tokens) throw new Error(`There should be 1 to ${MOST.tokens} tokens.`);
  const weights = readWeights(value.weights, "weights", tokens.length);
  const given = value.reference === undefined || value.reference === null;
  return { tokens, weights, reference: given ? null : readWeights(value.reference, "reference", tokens.length) };
}

/** {reference, name} for what was loaded: its own, or this page's encoder on the same tokens; or null, and why. */
function findReference(file) {
  if (file.reference) return { reference: file.reference, name: "the reference in the file" };
  const strange = file.tokens.filter((token) => !course.vocabulary.includes(token));
  if (strange.length) {
    const why = `The file has no reference, and this page's encoder does not know “${strange[0]}”, so there is nothing ` +
      "to compare with.";
    return { reference: null, name: why };
  }
  // Padding that the file brings along stands among its tokens already.
  const seen = run(file.tokens, { ...state.settings, padding: 0, without: -1 });
  return { reference: seen.layers.map((layer) => layer.weights), name: "this page's encoder" };
}

/** {largest, layer, head, query, key, perHead[layer][head]}; null where the shapes differ. */
function difference(mine, reference) {
  if (mine.length !== reference.length || mine[0].length !== reference[0].length) return null;
  let best = { largest: -1 };
  const perHead = mine.map((layer, l) => layer.map((head, h) => {
    let most = 0;
    head.forEach((row, q) => row.forEach((weight, k) => {
      const apart = Math.abs(weight - reference[l][h][q][k]);
      most = Math.max(most, apart);
      if (apart > best.largest) best = { largest: apart, layer: l, head: h, query: q, key: k };
    }));
    return most;
  }));
  return { ...best, perHead };
}

/** A sentence on the first row that does not sum to 1: then the softmax ran along another dimension, or was left out. */
function wrongSum(weights) {
  for (const [l, layer] of weights.entries()) {
    for (const [h, head] of layer.entries()) {
      for (const [q, row] of head.entries()) {
        const sum = row.reduce((a, b) => a + b, 0);
        if (Math.abs(sum - 1) > 1e-3) {
          return ` In yours, row ${q} of layer ${l + 1}, head ${h + 1} sums to ${decimals(sum, 3)} and not to 1: ` +
            "look at the dimension of the softmax.";
        }
      }
    }
  }
  return "";
}

const small = (number) => (number === 0 ? "0" : number < 1e-4 ? number.toExponential(1).replace("-", "\u2212") : decimals(number, 4));

/** Compare again what was loaded, say what came out, and fill the table of heads. */
function compare() {
  const { file } = comparison;
  byId("mine-result").hidden = true;
  byId("mine-forget").hidden = !file;
  if (!file) return;
  const { reference, name } = findReference(file);
  comparison.reference = reference;
  if (!reference) {
    say("mine-live", name);
    return;
  }
  const found = difference(file.weights, reference);
  if (!found) {
    comparison.reference = null;
    say("mine-live", `Yours has ${file.weights.length} × ${file.weights[0].length} layers × heads, ` +
      `${name} has ${reference.length} × ${reference[0].length}: they cannot be compared.`);
    return;
  }
  comparison.found = found;
  const { layer, head, query, key, largest } = found;
  const values = [file.weights, reference].map((all) => decimals(all[layer][head][query][key], 4));
  const place = `layer ${layer + 1}, head ${head + 1}, query ${label(file.tokens, query)}, key ${label(file.tokens, key)}`;
  say("mine-live", (largest <= CLOSE
    ? `Yours agrees with ${name}: the largest difference is ${small(largest)}.`
    : `Yours differs from ${name}. The largest difference is ${small(largest)}, in ${place}: ` +
      `yours ${values[0]}, reference ${values[1]}.`) + wrongSum(file.weights));
  const heads = found.perHead[0].map((_, h) => make("th", { scope: "col" }, `head ${h + 1}`));
  const rows = found.perHead.map((row, l) => make("tr", {}, make("th", { scope: "row" }, `layer ${l + 1}`),
    ...row.map((value) => make("td", {}, small(value)))));
  byId("mine-table").className = "plain";
  byId("mine-table").replaceChildren(make("caption", {}, "Largest difference per head"),
    make("thead", {}, make("tr", {}, make("td"), ...heads)), make("tbody", {}, ...rows));
  byId("mine-result").hidden = false;
}

/** Take the text of a file; what is wrong with it becomes a sentence on the page. */
function loadMine(text) {
  forgetMine();
  try {
    comparison.file = readMine(text);
  } catch (error) {
    say("mine-live", error.message);
    return;
  }
  compare();
}

function forgetMine() {
  Object.assign(comparison, { file: null, reference: null, found: null });
  const back = state.source !== "model";
  state.source = "model";
  say("mine-live", "");
  compare();
  if (back) draw();
}

/** Behind the sentence about a cell of a file: what the other side has there. */
function comparedCell() {
  if (state.source === "model" || !comparison.reference) return "";
  const other = state.source === "mine" ? comparison.reference : comparison.file.weights;
  const value = other[state.layer][state.head][state.query][state.key];
  return `; ${state.source === "mine" ? "the reference has" : "yours has"} ${decimals(value, 4)}`;
}
