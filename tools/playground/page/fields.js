// Text fields of expressions: numbers that step, names that complete, the place of an error.
import { element, say } from "./parts.js";

const changed = (field) => field.dispatchEvent(new Event("input", { bubbles: true }));

// Alt and an arrow change the number at the cursor by one; with Shift it doubles or halves.
function stepNumber(event) {
  if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
  const field = event.target, at = field.selectionStart;
  const found = [...field.value.matchAll(/\d+/g)].find((m) => m.index <= at && at <= m.index + m[0].length);
  if (!found) return;
  event.preventDefault();
  const n = BigInt(found[0]), up = event.key === "ArrowUp";
  const next = event.shiftKey ? (up ? n * 2n : n / 2n) : (up ? n + 1n : n - 1n);
  if (next < 0n) return;
  field.setRangeText(String(next), found.index, found.index + found[0].length, "end");
  changed(field);
  say(String(next));
}

export function makeSteps(root) {
  for (const field of root.querySelectorAll("[data-steps]")) {
    for (const [key, value] of [["spellcheck", "false"], ["autocapitalize", "off"], ["autocomplete", "off"],
      ["autocorrect", "off"], ["translate", "no"]]) field.setAttribute(key, value);
    field.addEventListener("keydown", stepNumber);
    if (field.tagName !== "TEXTAREA") continue;
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
    field.addEventListener("input", () => fit(field));
  }
}

// A text area as high as its text.
export function fit(field) {
  field.style.height = "auto";
  if (field.scrollHeight > 0) field.style.height = `${field.scrollHeight + 2}px`;
}

// The name that the cursor is in or behind.
function wordAt(field) {
  const before = field.value.slice(0, field.selectionStart).match(/[A-Za-z_]\w*$/);
  return before ? before[0] : "";
}

// Says below the field what may be called; Ctrl and space completes the name.
export function makeHints(field, hint, names) {
  const matching = () => {
    const word = wordAt(field);
    if (word.length < 2) return { word, found: [] };
    return { word, found: names.filter(({ name }) => name.startsWith(word)) };
  };
  const complete = (word, item) => {
    const end = field.selectionStart, call = item.takes != null && field.value[end] !== "(" ? "(" : "";
    field.setRangeText(item.name + call, end - word.length, end, "end");
    changed(field);
    say(`${item.name}: ${item.help}`);
  };
  const show = () => {
    const { word, found } = matching();
    const [first] = found;
    if (!first) hint.textContent = "";
    else if (first.name === word) hint.textContent = `${first.name}${first.takes ? `(${first.takes})` : ""}: ${first.help}`;
    else {
      const once = [...new Map(found.map((item) => [item.name, item])).values()].slice(0, 6);
      hint.replaceChildren(...once.map((item) => element("button", { type: "button", tabindex: "-1",
        onmousedown: (event) => { event.preventDefault(); complete(word, item); show(); } }, item.name)));
    }
  };
  field.addEventListener("input", show);
  field.addEventListener("click", show);
  field.addEventListener("keyup", show);
  field.addEventListener("blur", () => { hint.textContent = ""; });
  field.addEventListener("keydown", (event) => {
    if (!event.ctrlKey || event.code !== "Space") return;
    const { word, found } = matching();
    if (!found.length) return;
    event.preventDefault();
    complete(word, found[0]);
  });
}

// The place of `at` bytes in a text of UTF-16.
function unitsOf(text, bytes) {
  const start = new TextEncoder().encode(text).subarray(0, bytes);
  return new TextDecoder().decode(start).length;
}

// Underlines the place of an error, until the text changes.
function underline(field, from, to) {
  const box = getComputedStyle(field), text = field.value;
  const under = element("div", { class: "under", "aria-hidden": "true" }, text.slice(0, from),
    element("mark", {}, text.slice(from, to) || " "), text.slice(to));
  for (const key of ["font", "padding", "lineHeight"]) under.style[key] = box[key];
  for (const [key, value] of [["left", field.offsetLeft], ["top", field.offsetTop], ["width", field.offsetWidth], ["height", field.offsetHeight]])
    under.style[key] = `${value}px`;
  field.after(under);
  field.addEventListener("input", () => under.remove(), { once: true });
}

// Shows the error of an answer in its box, and marks the field that it is about.
export function showError(panel, error) {
  const box = panel.querySelector(".error"), form = panel.querySelector("form");
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-errormessage");
    field.parentElement.querySelector(".under")?.remove();
  }
  panel.querySelector(".answer").classList.toggle("stale", !!error);
  box.hidden = !error;
  if (!error) {
    box.replaceChildren();
    return;
  }
  box.id ||= `error-${Math.random().toString(36).slice(2)}`;
  const field = error.field ? form.elements[error.field] : null;
  const label = field?.labels?.[0]?.textContent;
  const several = form.querySelectorAll(".field").length > 2;
  box.replaceChildren(element("p", {}, several && label ? `${label}: ${error.message}` : error.message));
  if (error.place) box.append(element("pre", { "aria-hidden": "true" }, error.place.replace(/\n$/, "")));
  if (!field) return;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-errormessage", box.id);
  if (error.at === undefined) return;
  underline(field, unitsOf(field.value, error.at), unitsOf(field.value, error.at + error.length));
  box.append(element("button", { type: "button", onclick: () => {
    field.focus();
    field.setSelectionRange(unitsOf(field.value, error.at), unitsOf(field.value, error.at + error.length));
  } }, "Select the place"));
}
