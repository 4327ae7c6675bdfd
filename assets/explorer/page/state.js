// What the page shows: the state, and what follows from it.

const course = JSON.parse(byId("course").textContent);
const models = Object.fromEntries(
  Object.entries(course.models).map(([name, packed]) => [name, unpackModel(packed, course.unit)])
);
const PLAIN = { model: "trained", scale: true, causal: false, padding: 0, hide_padding: true, without: -1 };
const LONGEST = 16; // tokens: more make pictures that nobody can read

const state = {
  words: [],
  settings: { ...PLAIN },
  layer: 0, head: 0, query: 0, key: 0,
  source: "model", // or "mine" or "reference": which weights the pictures show
  step: 0,
};

/** Everything about a sentence: {tokens, mask, layers, probabilities}; what `settings` leaves out is as at the start. */
function run(words, settings = {}) {
  const all = { ...PLAIN, ...settings };
  return runModel(models[all.model], course, words, all);
}

/** What somebody typed -> {words, notes}; each note is a sentence about what could not be taken as it is. */
function readSentence(text) {
  const gap = course.special.gap;
  const notes = [];
  let words = text.toLowerCase().replace(/_+/g, ` ${gap} `).split(/[^\p{L}\p{N}_'’-]+/u).filter(Boolean);
  if (!words.includes(gap)) {
    const verb = words.findIndex((word) => course.answers.includes(word));
    if (verb >= 0) {
      notes.push(`“${words[verb]}” was replaced by the gap, because that is what the encoder has to find out.`);
      words[verb] = gap;
    }
  }
  if (words.length > LONGEST) {
    notes.push(`Only the first ${LONGEST} words are read.`);
    words = words.slice(0, LONGEST);
  }
  const strange = [...new Set(words.filter((word) => !course.vocabulary.includes(word)))];
  if (strange.length) {
    const names = strange.map((word) => `“${word}”`).join(", ");
    notes.push(`The encoder does not know ${names}: ${strange.length > 1 ? "they count" : "it counts"} as ` +
      "one and the same unknown word, of which it cannot tell whether it means one or many.");
  }
  if (words.length && !words.includes(gap)) notes.push("There is no gap in it, so there is no answer. Write ___ for the gap.");
  if (words.filter((word) => word === gap).length > 1) notes.push("The answer is that of the first gap.");
  return { words, notes };
}

/** How a token is said and written: the gap and the padding have a name of their own. */
function spoken(token) {
  if (token === course.special.gap) return "gap";
  return token === course.special.pad ? "padding" : token;
}

const label = (tokens, position) => `${position} ${spoken(tokens[position])}`;

/** What the pictures show now: {tokens, weights[layer][head][query][key], mask, run}; run is null for a file's weights. */
function shown() {
  if (state.source !== "model" && comparison.file) {
    const weights = state.source === "mine" ? comparison.file.weights : comparison.reference;
    return { tokens: comparison.file.tokens, weights, mask: null, run: null };
  }
  const seen = run(state.words, state.settings);
  return { tokens: seen.tokens, weights: seen.layers.map((layer) => layer.weights), mask: seen.mask, run: seen };
}
