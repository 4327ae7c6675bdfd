// The encoder in plain arrays. It does what assets/explorer/encoder.py does, in the same order, in 64-bit numbers.

/** Base64 of 16-bit whole numbers -> {shape, data}, data being those numbers times 1 / unit, row after row. */
function unpackTensor(entry, unit) {
  const bytes = Uint8Array.from(atob(entry.data), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const data = new Float64Array(bytes.length / 2);
  for (let i = 0; i < data.length; i++) data[i] = view.getInt16(2 * i, true) / unit;
  return { shape: entry.shape, data };
}

/** {name: packed tensor} -> {name: tensor} */
function unpackModel(packed, unit) {
  return Object.fromEntries(Object.entries(packed).map(([name, entry]) => [name, unpackTensor(entry, unit)]));
}

/** nn.Linear: rows (position, in) -> (position, out). */
function linear(model, name, rows) {
  const { shape: [outputs, inputs], data } = model[name + ".weight"];
  const bias = model[name + ".bias"].data;
  return rows.map((row) =>
    Array.from({ length: outputs }, (_, o) => {
      let sum = bias[o];
      for (let i = 0; i < inputs; i++) sum += data[o * inputs + i] * row[i];
      return sum;
    })
  );
}

/** Mean 0 and variance 1 for each row, then gamma and beta; the variance divides by the length of the row. */
function layerNorm(model, name, rows) {
  const gamma = model[name + ".gamma"].data, beta = model[name + ".beta"].data;
  return rows.map((row) => {
    const mean = row.reduce((a, b) => a + b, 0) / row.length;
    const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length;
    return row.map((x, i) => (gamma[i] * (x - mean)) / Math.sqrt(variance + 1e-5) + beta[i]);
  });
}

/** Shares that sum to 1; -Infinity gets exactly 0. Subtracting the largest score keeps the powers finite. */
function softmax(scores) {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const add = (a, b) => a.map((row, p) => row.map((x, i) => x + b[p][i]));

/** Words -> (position, d_model): embeddings times the root of d_model, plus sines and cosines of the position. */
function embed(model, ids) {
  const { shape: [, size], data } = model["embedding.weight"];
  return ids.map((id, position) =>
    Array.from({ length: size }, (_, i) => {
      const angle = position / 10000 ** ((i - (i % 2)) / size);
      return data[id * size + i] * Math.sqrt(size) + (i % 2 ? Math.cos(angle) : Math.sin(angle));
    })
  );
}

/** Who may attend to whom, [query][key]. A token that may attend to nobody attends to itself: 0 / 0 is no number. */
function allowed(tokens, settings, pad) {
  return tokens.map((_, query) => {
    const row = tokens.map((token, key) =>
      (!settings.causal || key <= query) && !(settings.hide_padding && token === pad) && key !== settings.without
    );
    if (!row.includes(true)) row[query] = true;
    return row;
  });
}

/** One layer's attention: {q, k, v} (heads, position, d_k), {scores, weights} (heads, query, key), output. */
function attention(model, name, x, mask, heads, scale) {
  const size = x[0].length / heads;
  const split = (rows) => Array.from({ length: heads }, (_, h) => rows.map((r) => r.slice(h * size, (h + 1) * size)));
  const [q, k, v] = ["W_Q", "W_K", "W_V"].map((part) => split(linear(model, `${name}.${part}`, x)));
  const scores = q.map((queries, h) =>
    queries.map((query) => k[h].map((key) => dot(query, key) / (scale ? Math.sqrt(size) : 1)))
  );
  const weights = scores.map((rows) =>
    rows.map((row, i) => softmax(row.map((score, j) => (mask[i][j] ? score : -Infinity))))
  );
  const output = weights.map((rows, h) =>
    rows.map((row) => v[h][0].map((_, c) => row.reduce((sum, w, j) => sum + w * v[h][j][c], 0)))
  );
  return { q, k, v, scores, weights, output };
}

/** Everything about one sentence, as encoder.run gives it: {tokens, mask, layers, probabilities}. */
function runModel(model, course, words, settings) {
  const { gap, pad, unknown } = course.special;
  const tokens = [...words, ...Array(settings.padding).fill(pad)];
  const number = new Map(course.vocabulary.map((word, i) => [word, i]));
  const mask = allowed(tokens, settings, pad);
  let x = embed(model, tokens.map((token) => number.get(number.has(token) ? token : unknown)));
  const layers = [];
  for (let l = 0; l < course.sizes.layers; l++) {
    const name = `layers.${l}`;
    const seen = attention(model, name + ".attention", x, mask, course.sizes.heads, settings.scale);
    layers.push(seen);
    const joined = x.map((_, position) => seen.output.flatMap((head) => head[position]));
    const h = layerNorm(model, name + ".norm1", add(x, linear(model, name + ".attention.W_O", joined)));
    const hidden = linear(model, name + ".feed_forward.linear1", h).map((row) => row.map((a) => Math.max(a, 0)));
    x = layerNorm(model, name + ".norm2", add(h, linear(model, name + ".feed_forward.linear2", hidden)));
  }
  const place = tokens.indexOf(gap);
  const probabilities = place < 0 ? null : softmax(linear(model, "output", [x[place]])[0]);
  return { tokens, mask, layers, probabilities };
}
