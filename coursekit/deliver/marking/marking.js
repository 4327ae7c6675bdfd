// Keys, and saving at once. The page can be used without this: each form has a button of its own.
//
// The server renders everything. What this shows after saving is the part of the page that came back; what a person is
// typing is never replaced.
const marking = document.querySelector(".marking");
const here = marking.dataset.here;
const answers = document.querySelector("#answers");
const RETRY = 3000; // ms until an answer that could not be saved is sent again
const LOOK = 4000; // ms between two looks at what others have done

const of = (card) => (card.state ??= { dirty: false, sending: false }); // and sent: what was sent last
const cards = () => [...answers.querySelectorAll(".answer")];
const keyOf = (card) => card.querySelector("[name=answer]").value;
const typing = (target) => target.matches("textarea, select, input:not([type=checkbox])");

// What a person has given, as one string.
function contents(card) {
  const data = new FormData(card.querySelector(".given"));
  data.delete("seen");
  return new URLSearchParams(data).toString();
}

function tell(card, text) {
  card.querySelector(".notice").textContent = text;
}

function parse(html) {
  return new DOMParser().parseFromString(html, "text/html");
}

// Puts the next version of a card in its place; the field that had the focus has it again.
function replace(card, next) {
  card = document.getElementById(card.id); // it may have been replaced while its next version was on the way
  const active = document.activeElement;
  const had = card.contains(active);
  card.replaceWith(next);
  const same = (field) => field.name === active.name && (active.type !== "checkbox" || field.value === active.value);
  if (had) ([...next.querySelectorAll("input, textarea, button")].find(same) ?? next).focus({ preventScroll: true });
  return next;
}

// How many answers on the page have each item.
function count() {
  for (const form of document.querySelectorAll("#rubric .rubric-item")) {
    const uses = form.querySelector(".uses");
    const id = form.querySelector("[name=id]").value;
    if (uses) uses.textContent = answers.querySelectorAll(`[name=item][value="${CSS.escape(id)}"]:checked`).length;
  }
}

// Shows the progress that came, and returns the card that came with it.
function show(html) {
  const parts = parse(html);
  const old = document.querySelector("#progress");
  const progress = parts.querySelector("#progress");
  if (progress) {
    const had = old.contains(document.activeElement);
    old.replaceWith(progress);
    if (had) progress.querySelector("button").focus();
  }
  return parts.querySelector(".answer");
}

// Where no answer comes, the status is 503.
async function send(address, data) {
  try {
    const response = await fetch(address, { method: "POST", body: new URLSearchParams(data) });
    return { status: response.status, html: await response.text() };
  } catch {
    return { status: 503 };
  }
}

// Whether it could be saved: false where a person has to do something first.
async function save(card) {
  const mine = of(card);
  mine.dirty = true;
  if (mine.sending) return true;
  mine.sending = true;
  tell(card, "Saving …");
  mine.dirty = false;
  const data = new FormData(card.querySelector(".given"));
  data.set("part", keyOf(card));
  mine.sent = contents(card);
  const answer = await send(`${here}/mark`, data);
  mine.sending = false;
  if (answer.status >= 500) {
    mine.dirty = true;
    tell(card, "Not saved: the server does not answer. It is tried again.");
    setTimeout(() => mine.dirty && card.isConnected && save(card), RETRY);
    return true;
  }
  if (answer.status === 404) {
    mine.dirty = true;
    tell(card, "Not saved: the server was started again. Copy what you typed, and open its new address.");
    return false;
  }
  const next = show(answer.html);
  if (answer.status === 200) {
    card.querySelector("[name=seen]").value = next.querySelector("[name=seen]").value;
    if (mine.dirty) return save(card); // something was typed meanwhile
    if (contents(card) !== mine.sent) return true; // somebody goes on typing; it is saved when the field is left
    card = replace(card, next);
    tell(card, "Saved.");
    count();
    return true;
  }
  mine.dirty = true; // what is typed here is nowhere else
  if (answer.status === 409) conflict(card, next);
  else tell(card, next.querySelector(".notice").textContent);
  return false;
}

// Somebody else was quicker: both are shown, and a person decides.
function conflict(card, next) {
  const theirs = next.querySelector(".standing").textContent.trim();
  tell(card, `${next.querySelector(".notice").textContent} Theirs: ${theirs}`);
  card.querySelectorAll(".decide").forEach((old) => old.remove());
  const decide = document.createElement("span");
  decide.className = "decide";
  const button = (text, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", () => {
      decide.remove();
      act();
    });
    decide.append(" ", made);
  };
  button("Keep theirs", async () => {
    of(card).dirty = false;
    const response = await fetch(`${here}?answer=${keyOf(card)}`);
    if (response.ok) replace(card, show(await response.text())).focus();
  });
  button("Save mine", () => {
    card.querySelector("[name=seen]").value = next.querySelector("[name=seen]").value;
    save(card);
  });
  card.querySelector(".notice").after(decide);
}

answers.addEventListener("change", (event) => {
  const card = event.target.closest(".answer");
  // Not again what was just sent with a key, and not what a person has to decide first.
  if (card && !card.querySelector(".decide") && contents(card) !== of(card).sent) save(card);
});
answers.addEventListener("input", (event) => {
  const card = event.target.closest(".answer");
  if (card && typing(event.target)) tell(card, "");
});
answers.addEventListener("submit", (event) => {
  const card = event.target.closest(".answer");
  if (!card) return;
  event.preventDefault();
  save(card);
});

// The whole page anew, but for what somebody is typing.
async function again(html) {
  const parts = parse(html ?? (await (await fetch(here)).text()));
  const rubric = document.querySelector("#rubric");
  for (const card of cards()) {
    const next = parts.getElementById(card.id);
    const mine = of(card);
    const busy = mine.dirty || mine.sending || card.querySelector(".decide") || (card.contains(document.activeElement) && typing(document.activeElement));
    if (next && !busy && next.outerHTML !== card.outerHTML) replace(card, next);
  }
  for (const form of answers.querySelectorAll(".all")) {
    const key = form.querySelector("[name=answer]").value;
    const next = [...parts.querySelectorAll(".all")].find((other) => other.querySelector("[name=answer]").value === key);
    if (next && !form.contains(document.activeElement)) form.replaceWith(next);
  }
  if (!rubric.contains(document.activeElement) || !typing(document.activeElement)) rubric.replaceWith(parts.querySelector("#rubric"));
  document.querySelector("#progress").replaceWith(parts.querySelector("#progress"));
  marking.dataset.rubric = parts.querySelector(".marking").dataset.rubric;
  return parts;
}

// Rubric items and undo: the page comes back as after the form's own button, and stays where it is.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.closest("#rubric, #progress, .all")) return;
  event.preventDefault();
  const data = new FormData(form);
  if (event.submitter?.name) data.set(event.submitter.name, event.submitter.value);
  const card = document.activeElement?.closest?.(".answer");
  const answer = await send(form.action, data);
  if (answer.status === 503) {
    document.querySelector("#progress .notice").textContent = answer.html ?? "Not done: the server does not answer.";
    return;
  }
  document.activeElement?.blur?.();
  const parts = await again(answer.html);
  const problem = parts.querySelector(".problem")?.textContent ?? "";
  document.querySelector("#progress .notice").textContent = problem;
  if (card) document.getElementById(card.id)?.focus({ preventScroll: true });
  else document.querySelector("#rubric .rubric-item:last-of-type textarea")?.focus({ preventScroll: true });
});

// What others did meanwhile.
setInterval(async () => {
  if (document.hidden) return;
  try {
    const response = await fetch(`${here}/state`);
    if (!response.ok) return;
    const now = await response.json();
    const other = cards().some((card) => (now.answers[keyOf(card)] ?? card.dataset.version) !== card.dataset.version);
    if (other || now.rubric !== marking.dataset.rubric) await again();
  } catch {
    // The next look may succeed; what is typed says by itself that it could not be saved.
  }
}, LOOK);

function choose(card) {
  if (!card) return;
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "start" });
}

function nextWaiting(card) {
  const all = cards();
  const place = all.indexOf(card);
  const rest = [...all.slice(place + 1), ...all.slice(0, Math.max(place, 0))];
  choose(rest.find((other) => other.classList.contains("waits")) ?? all[place + 1]);
}

answers.addEventListener("keydown", (event) => {
  const card = event.target.closest(".answer");
  if (!card || event.altKey || event.metaKey) return;
  const field = (name) => card.querySelector(`[name=${name}]`);
  if (event.key === "Escape") {
    event.preventDefault();
    return choose(card);
  }
  if (event.key === "Enter" && (event.target.name === "points" || (event.target.name === "comment" && event.ctrlKey))) {
    event.preventDefault();
    return void save(card).then((saved) => saved && nextWaiting(document.getElementById(card.id)));
  }
  if (typing(event.target) || event.ctrlKey) return;
  const acts = {
    j: () => choose(cards()[cards().indexOf(card) + 1]),
    k: () => choose(cards()[cards().indexOf(card) - 1]),
    n: () => nextWaiting(card),
    p: () => field("points")?.select(),
    c: () => field("comment").focus(),
    u: () => document.querySelector("#progress form").requestSubmit(),
  };
  if (/^[1-9]$/.test(event.key)) {
    const box = card.querySelectorAll("[name=item]")[event.key - 1];
    if (box) {
      box.checked = !box.checked;
      save(card);
    }
  } else if (acts[event.key]) {
    acts[event.key]();
  } else {
    return;
  }
  event.preventDefault();
});

addEventListener("beforeunload", (event) => {
  const typed = [...answers.querySelectorAll("textarea, [name=points]")].some((field) => field.value !== field.defaultValue);
  if (typed || cards().some((card) => of(card).dirty || of(card).sending)) event.preventDefault();
});

if (!location.hash) choose(cards().find((card) => card.classList.contains("waits")));
