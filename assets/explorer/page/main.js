// Joins the controls to the state, and starts the page.

/** Take these words as the sentence. */
function setSentence(words, notes = []) {
  state.words = words;
  state.source = "model";
  if (state.settings.without >= words.length) state.settings.without = -1;
  byId("words").value = words.join(" ");
  say("sentence-live", notes.join(" "));
  changed();
}

/** After any change of sentence or switches. */
function changed() {
  compare();
  draw();
}

function showStep() {
  const step = course.steps[state.step];
  byId("step-title").textContent = `Step ${state.step + 1} of ${course.steps.length}: ${step.title}`;
  byId("step-ask").textContent = step.ask;
  byId("step-found").textContent = step.found;
  byId("step-answer").open = false;
  say("step-live", "");
  byId("step-back").disabled = state.step === 0;
  byId("step-next").disabled = state.step === course.steps.length - 1;
}

/** Set sentence, switches, head and cell as the step wants them. */
function setStep() {
  const { sentence, settings, show } = course.steps[state.step];
  Object.assign(state, {
    settings: { ...PLAIN, ...settings },
    layer: show.layer - 1, head: show.head - 1, query: show.query, key: show.key,
  });
  setSentence(sentence.split(" "));
  say("step-live", `The page now shows “${sentence}”, layer ${show.layer}, head ${show.head}.`);
}

function goToStep(step) {
  state.step = step;
  showStep();
  byId("step-title").focus();
}

/** A listener that changes one setting and draws. */
const setting = (change) => (event) => {
  change(event.target);
  state.source = "model";
  changed();
};

function listen() {
  // Not left to the browser: in a notebook's frame the page has no address of its own to which "#..." could be added.
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const target = byId(link.hash.slice(1));
      target.scrollIntoView();
      target.focus();
    });
  }
  byId("sentence-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const { words, notes } = readSentence(byId("words").value);
    if (!words.length) say("sentence-live", "Write at least one word.");
    else {
      state.settings.without = -1;
      setSentence(words, notes);
    }
  });
  byId("choose").addEventListener("change", (event) => {
    if (!event.target.value) return;
    state.settings.without = -1;
    setSentence(event.target.value.split(" "));
  });
  for (const radio of document.getElementsByName("model")) {
    radio.addEventListener("change", setting((target) => { state.settings.model = target.value; }));
  }
  for (const radio of document.getElementsByName("padding")) {
    radio.addEventListener("change", setting((target) => {
      Object.assign(state.settings, { padding: target.value === "none" ? 0 : 3, hide_padding: target.value !== "open" });
    }));
  }
  byId("scale").addEventListener("change", setting((target) => { state.settings.scale = target.checked; }));
  byId("causal").addEventListener("change", setting((target) => { state.settings.causal = target.checked; }));
  byId("without").addEventListener("change", setting((target) => { state.settings.without = Number(target.value); }));
  byId("step-set").addEventListener("click", setStep);
  byId("step-back").addEventListener("click", () => goToStep(Math.max(state.step - 1, 0)));
  byId("step-next").addEventListener("click", () => goToStep(Math.min(state.step + 1, course.steps.length - 1)));
  byId("mine-compare").addEventListener("click", () => loadMine(byId("mine-text").value));
  byId("mine-forget").addEventListener("click", forgetMine);
  byId("mine-file").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) loadMine(await file.text());
  });
  for (const radio of document.getElementsByName("source")) {
    radio.addEventListener("change", (event) => {
      state.source = event.target.value;
      draw();
    });
  }
  byId("mine-go").addEventListener("click", () => {
    const { layer, head, query, key } = comparison.found;
    Object.assign(state, { source: "mine", layer, head, query, key });
    draw();
    byId("head").querySelector(`[data-row="${query}"][data-column="${key}"]`).focus();
  });
}

function start() {
  window.addEventListener("resize", markScrollers);
  byId("choose").append(make("option", { value: "" }, "one of my own"),
    ...course.sentences.map((sentence) => make("option", { value: sentence }, sentence)));
  const known = course.vocabulary.filter((word) => !Object.values(course.special).includes(word));
  byId("vocabulary").textContent = known.join(", ");
  showLegend();
  listen();
  byId("tool").hidden = false;
  showStep();
  setStep();
  say("step-live", "");
  if (byId("mine-text").value) loadMine(byId("mine-text").value); // a notebook has put its weights there
}

// For tests, and for the curious: explorer.run(words, settings) gives plain lists.
window.explorer = { run, state: () => JSON.parse(JSON.stringify(state)) };
start();
