// The page: panels, each a form whose fields are a request to the library.
import { ask } from "./engine.js";
import { examples } from "./examples.js";
import { fit, makeHints, makeSteps, showError } from "./fields.js";
import { $, copyText, count, element, fillTable, flash, makeCodes, say, showPicture } from "./parts.js";
import { readState, writeState } from "./state.js";

const LONGEST = 20000; // characters of a result that are shown

const panels = {};  // name -> {fields(), set(fields), run()}
let current = "expression";

const shorten = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)} … (${text.length} characters)` : text);

// ---- forms ----

const readForm = (form) => {
  const fields = {};
  for (const control of form.elements) {
    if (control.name) fields[control.name] = control.type === "checkbox" ? (control.checked ? control.value : "") : control.value.trim();
  }
  return fields;
};

const writeForm = (form, fields) => {
  for (const control of form.elements) {
    if (!control.name) continue;
    const value = fields[control.name] ?? "";
    if (control.type === "checkbox") control.checked = value !== "";
    else if (control.tagName === "SELECT") {
      control.value = value;
      if (control.selectedIndex < 0) control.selectedIndex = 0;
    } else control.value = value;
    if (control.tagName === "TEXTAREA") fit(control);
  }
};

// What the command complained about, as the error of an answer: its first line, its place, the field.
function asCommand(answer, fields) {
  if (!answer.status || answer.out) return answer;
  const [first, ...rest] = answer.err.split("\n"), message = first.replace(/^cutlet [a-z ]+: /, "");
  const named = message.match(/^--([a-z-]+)/)?.[1];
  const about = Object.keys(fields).find((key) => fields[key] && rest[0]?.trim() === fields[key]) ?? named;
  const error = { field: about in fields ? about : "", message, place: rest.length > 1 ? rest.join("\n") : undefined };
  const caret = rest[1]?.match(/^  ( *)(\^~*)/);
  if (caret && error.field) Object.assign(error, { at: caret[1].length, length: caret[2].length });
  return { ...answer, error };
}

// Asks when a field has changed, a moment after the last key; shows only the answer to the last question.
function makeAsker(panel, form, wait, show) {
  let timer = null, last = 0;
  const run = async () => {
    clearTimeout(timer);
    const own = ++last;
    const fields = readForm(form);
    const answer = asCommand(await ask(form.dataset.request, { ...fields, command: form.dataset.command ?? "" }), fields);
    if (own !== last) return;
    showError(panel, answer.error);
    await show(answer, fields, () => own === last);
    if (!performance.getEntriesByName("first-result").length) performance.mark("first-result");
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => { run(); remember(); }, wait);
  });
  return run;
}

function makeExamples(box, panel) {
  box.append(...examples[panel].map(([label, fields]) => element("button", { type: "button", onclick: () => {
    panels[panel].set(fields);
    panels[panel].run();
    remember();
  } }, label)));
}

// The operands of the call that a text is: composition(A, B).
function operandsOf(text) {
  const [, inside] = text.match(/^\s*\w+\((.*)\)\s*$/s) ?? [], found = [""];
  let depth = 0;
  for (const c of inside ?? "") {
    depth += /[(<[]/.test(c) - /[)>\]]/.test(c);
    if (c === "," && depth === 0) found.push("");
    else found[found.length - 1] += c;
  }
  return inside && depth === 0 ? found.map((operand) => operand.trim()) : [];
}

// The call above its result, and the pictures of its operands, each in a colour of its own.
async function showOperands(text, isLast) {
  const operands = operandsOf(text), own = (operand, i) => element("span", { class: `own of-${i % 4 + 1}` }, operand);
  $("e-call").replaceChildren(...operands.flatMap((operand, i) => [i ? ", " : `${text.slice(0, text.indexOf("("))}(`, own(operand, i)]), operands.length ? ") =" : "");
  const drawn = await Promise.all(operands.map((operand) => ask("draw", { text: operand })));
  if (!isLast()) return;
  $("e-operands").replaceChildren(...drawn.flatMap((answer, i) => {
    if (!answer.svg) return [];
    const box = element("div", { class: "picture", tabindex: "0", role: "group", "aria-label": `Operand ${operands[i]}`, "data-of": i % 4 + 1 });
    showPicture(box, answer.svg);
    return [element("div", {}, element("p", { class: "code" }, own(operands[i], i)), box)];
  }));
}

// ---- panels ----

function makeExpression() {
  const panel = $("expression"), form = panel.querySelector("form");
  const showCodes = makeCodes(panel.querySelector("[data-codes]"), "e");
  const run = makeAsker(panel, form, 80, (a, fields, isLast) => {
    $("e-steps").textContent = shorten(a.explain ?? "");
    if (a.error && a.text === undefined) return;
    $("e-result").textContent = shorten(a.text);
    const facts = ["rank", "depth", "size", "cosize"].filter((key) => a[key] !== undefined).map((key) => `${key} ${a[key]}`);
    $("e-facts").textContent = [a.kind, ...facts].join(", ") + (a.notation ? `; read as ${a.notation}` : "");
    showPicture($("e-picture"), a.svg, a.no_svg);
    showCodes(a.code);
    return showOperands(fields.text, isLast);
  });
  makeExamples($("e-example"), "expression");
  return { fields: () => readForm(form), set: (fields) => writeForm(form, fields), run };
}

const COUNTS = [
  ["instructions", "Instructions of a warp", null], ["lanes", "Lanes that take part", null],
  ["requests", "Requests", true], ["sectors", "Sectors of 32 bytes", true], ["lines", "Lines of 128 bytes", true],
  ["wavefronts", "Wavefronts", false], ["ideal", "Ideal wavefronts", false], ["conflicts", "Bank conflicts", false],
  ["broadcast", "Lanes served by another's bytes", null],
  ["bytes_used", "Bytes used", null], ["bytes_moved", "Bytes moved", null],
];

const cost = (a, c) => (a.global
  ? `${count(c.sectors[1], "sector")}, ${c.bytes_moved[1] ? Math.round(100 * c.bytes_used[1] / c.bytes_moved[1]) : 100} % of their bytes used`
  : `${count(c.wavefronts[1], "wavefront")} where ${c.ideal[1]} would be ideal, ${count(c.conflicts[1], "bank conflict")}`);

function makeWarp() {
  const panel = $("warp"), form = panel.querySelector("form");
  const run = makeAsker(panel, form, 80, (a, fields) => {
    if (a.error) return;
    const what = `${a.name} of ${a.bits} bits a lane`;
    $("w-result").textContent = `${what}: ${cost(a, a.before)}${a.after ? `; with ${fields.swizzle}: ${cost(a, a.after)}` : ""}.`;
    const rows = COUNTS.filter(([, , global]) => global === null || global === a.global)
      .map(([key, label]) => [label, ...[a.before, a.after].filter(Boolean).flatMap((c) => [c[key][1], c[key][0]])]);
    const least = a.before.at_least[0] || a.after?.at_least[0];
    const heads = a.after ? ["this one", "all", `${fields.swizzle}: this one`, "all"] : ["this instruction", "all instructions"];
    fillTable($("w-counts"), `${count(a.warps, "warp")} of ${count(a.instructions, "instruction")} in a tile.${
      least ? " Some numbers are lower bounds." : ""}`, ["", ...heads], rows);
    $("w-title").textContent = a.global ? "The sectors that it moves" : "Its banks and wavefronts";
    showPicture($("w-picture"), a.svg, a.no_svg);
    showPicture($("w-threads"), a.threads, a.no_threads);
  });
  makeExamples($("w-example"), "warp");
  return { fields: () => readForm(form), set: (fields) => writeForm(form, { type: "half", warp: "0", instruction: "0", ...fields }), run };
}

// One half of the panel `beside`.
function makeSide(section) {
  section.append($("side").content.cloneNode(true));
  const side = section.dataset.side, form = section.querySelector("form");
  const part = (name) => section.querySelector(`[data-part=${name}]`);
  for (const field of section.querySelectorAll(".field")) {
    const control = field.querySelector("[name]");
    control.id = `${side}-${control.name}`;
    field.querySelector("label").htmlFor = control.id;
  }
  const showCodes = makeCodes(part("codes"), side);
  const take = (name, text) => {
    form.elements[name].value = text;
    form.elements[name].dispatchEvent(new Event("input", { bubbles: true }));
    form.elements[name].focus();
  };

  const shown = (kind) => {
    const is = /MMA/.test(kind) ? "mma" : /copy/.test(kind) ? "copy" : "tv";
    for (const field of section.querySelectorAll("[data-for]")) field.hidden = !field.dataset.for.split(" ").includes(is);
    return is;
  };

  const property = (p) => {
    const text = element("td", { class: "wrap" }, p.text);
    if (p.nearest) {
      const field = p.property.endsWith("A") ? "shared_a" : "shared_b";
      text.append(element("br"), element("span", { class: "code" }, p.nearest), " ",
        element("button", { type: "button", onclick: () => take(field, p.nearest) }, `Use it for ${p.property.slice(-1)}`));
    }
    return [p.property, element("td", { class: `text ${p.ok ? "good" : "poor"}` }, p.ok ? "ok" : "fails"), text];
  };

  // The layouts in shared memory, and what a copy's stores into it cost.
  const showMemories = async (is, fields, isLast) => {
    const names = is === "mma" ? [["shared_a", "A in shared memory"], ["shared_b", "B in shared memory"]] : [["shared", "Shared memory"]];
    const made = [];
    for (const [name, title] of names) {
      if (!fields[name]) continue;
      const picture = await ask("draw", { text: fields[name] });
      const box = element("div", { class: "picture", tabindex: "0", role: "group", "aria-label": title });
      showPicture(box, picture.svg, picture.no_svg ?? picture.error?.message);
      made.push(element("h2", {}, title));
      if (is === "copy") {
        const a = await ask("access", { subject: fields.subject, memory: fields[name], kind: "sts" });
        made.push(element("p", { role: "status" }, a.error ? a.error.message : `Its first store: ${cost(a, a.before)}.`));
      }
      made.push(box);
    }
    if (isLast()) part("memories").replaceChildren(...made);
  };

  const run = makeAsker(section, form, 150, async (a, fields, isLast) => {
    const is = a.kind ? shown(a.kind) : null;
    if (a.error) return;
    const bad = a.properties.filter((p) => !p.ok).length;
    part("result").textContent = bad ? `${bad} of ${a.properties.length} properties ${bad === 1 ? "does" : "do"} not hold.` : "All properties hold.";
    part("result").className = `result ${bad ? "poor" : "good"}`;
    fillTable(part("properties"), a.head, ["property", " holds", " found by enumeration"], a.properties.map(property));
    const value = await ask("show", { text: fields.subject, tile: is === "tv" ? fields.tile : "" });
    if (!isLast()) return;
    showPicture(part("picture"), value.svg, value.no_svg ?? value.error?.message);
    const sides = is === "copy" ? [["src", "ldg", "source"], ["dst", "stg", "destination"]].filter(([name]) => fields[name]) : [];
    const costs = await Promise.all(sides.map(([name, kind]) => ask("access", { subject: fields.subject, memory: fields[name], kind })));
    if (!isLast()) return;
    part("cost").textContent = sides.map(([, , side], i) => `${side}: ${costs[i].error?.message ?? cost(costs[i], costs[i].before)}. `).join("");
    showCodes(value.code);
    await showMemories(is, fields, isLast);
  });
  shown("a tiled copy");
  return { side, form, run };
}

function makeBeside() {
  const sides = [...document.querySelectorAll("[data-side]")].map(makeSide);
  makeExamples($("b-example"), "beside");
  const fields = () => Object.assign({}, ...sides.map(({ side, form }) =>
    Object.fromEntries(Object.entries(readForm(form)).map(([key, value]) => [`${side}.${key}`, value]))));
  const set = (all) => {
    for (const { side, form } of sides) {
      writeForm(form, Object.fromEntries(Object.entries(all).filter(([key]) => key.startsWith(`${side}.`)).map(([key, value]) => [key.slice(2), value])));
    }
  };
  return { fields, set, run: () => Promise.all(sides.map(({ run }) => run())) };
}

function makeSuggest() {
  const panel = $("suggest"), form = panel.querySelector("form");
  const showCodes = makeCodes(panel.querySelector("[data-codes]"), "s");
  let found = null, asked = null;
  const python = async (item) => {
    const [copy, shared] = await Promise.all([item.copy, item.shared].map((text) => ask("show", { text })));
    const line = (answer, name) => (answer.code?.python ?? "").replace(/^import pycutlet\n\n/, "").replace(/^value/, name);
    return `import pycutlet\n\n${line(copy, "copy")}${line(shared, "shared")}`;
  };
  const run = makeAsker(panel, form, 300, async (a, fields, isLast) => {
    if (a.error) return;
    found = a.items;
    asked = fields;
    const [best] = a.items, each = (n) => (n % a.placements ? (n / a.placements).toFixed(2) : n / a.placements);
    $("s-result").textContent = `${best.cost.wavefronts} wavefronts and ${best.cost.instructions} instructions a tile, estimated at ${best.cycles} cycles${
      a.optimal ? ": optimal" : ""}.`;
    const item = (key, value) => (value ? [element("dt", {}, key), element("dd", { class: "code" }, value)] : []);
    $("s-best").replaceChildren(...item("Copy", best.copy), ...item("Copy out", best.out), ...item("Shared memory", best.shared),
      element("dt", {}, "Why"), element("dd", {}, a.reason));
    fillTable($("s-costs"), "Of one tile, and the least of any layout", ["", "takes", "the least"], [
      ["Sectors", each(best.cost.sectors), each(a.least.sectors)], ["Wavefronts", best.cost.wavefronts, a.least.wavefronts],
      ["Instructions", best.cost.instructions, a.least.instructions], ["Bytes of shared memory", best.cost.shared_bytes, a.least.shared_bytes]]);
    fillTable($("s-items"), `Of ${a.tried} candidates that were counted`, ["#", "cycles", "sectors", "wavefronts", "instructions", "bytes", " copy", " shared memory"],
      a.items.map((s, i) => [i + 1, s.cycles, each(s.cost.sectors), s.cost.wavefronts, s.cost.instructions, s.cost.shared_bytes,
        element("td", { class: "text code" }, s.out ? `${s.copy} then ${s.out}` : s.copy), element("td", { class: "text code" }, s.shared)]));
    const py = await python(best);
    if (isLast()) showCodes({ ...a.code, python: py });
  });
  $("s-warp").addEventListener("click", () => {
    if (!found) return;
    panels.warp.set({ subject: found[0].copy, memory: found[0].shared, kind: "sts" });
    select("warp", true);
  });
  $("s-beside").addEventListener("click", () => {
    if (!found) return;
    const one = (side, item) => ({ [`${side}.subject`]: item.copy, [`${side}.src`]: asked.src, [`${side}.shared`]: item.shared });
    panels.beside.set({ ...one("l", found[0]), ...one("r", found[1] ?? found[0]) });
    select("beside", true);
  });
  return { fields: () => readForm(form), set: (fields) => writeForm(form, fields), run };
}

// The words of a shell for a form of the command.
const quoted = (word) => (/^[\w.,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
const shellLine = (command, fields) => ["cutlet", command, ...Object.entries(fields).filter(([, value]) => value).flatMap(
  ([key, value]) => [...(key === "layout" ? [] : [`--${key.replace(/\..*/, "")}`]), quoted(value)])].join(" ");

const copyOf = (thr, val, bits) => `tiled_copy(copy_atom(universal${bits}, ${bits}), ${thr}, ${val})`;

// What is drawn beside the command's answer: texts of values by their headings.
const drawn = {
  compare: (fields) => Object.entries(fields).filter(([key, value]) => key.startsWith("copy.") && value.includes(" x "))
    .map(([, value]) => [value, copyOf(...value.split(" x "), 16)]),
  width: ({ thr, val }, out) => {
    const [, proposed, values] = out.match(/--thr '(.*?)' --val '(.*?)'/) ?? [null, thr, val];
    return proposed && values ? [["Which thread holds which element", copyOf(proposed, values, 16)]] : [];
  },
  tma: (fields, out) => [["The tile in shared memory", out.match(/^shared +(.*?)(, in bits)?$/m)[1]]],
  descriptor: ({ layout }) => [["The tile in shared memory", layout]],
  convert: ({ layout }) => [["The layout", layout]],
};

// A panel that asks the command itself: its answer, its words for a shell, pictures.
function makeCommand(name) {
  const panel = $(name), form = panel.querySelector("form");
  panel.append($("asked").content.cloneNode(true));
  const shell = panel.querySelector("code"), pictures = panel.querySelector(".pictures"), button = panel.querySelector(".pick button");
  button.addEventListener("click", () => {
    copyText(shell.textContent, "Command");
    flash(button, "Copied");
  });
  const run = makeAsker(panel, form, 150, async (a, fields, isLast) => {
    shell.textContent = shellLine(form.dataset.command, fields);
    if (a.error) return;
    const note = a.err.replace(/^cutlet [a-z ]+: /gm, "").trim(), out = a.out.replace(/^no GPU.*\n/m, "").trimEnd();
    panel.querySelector(".result").textContent = note || out.split("\n").map((line) => line.replace(/^shared +/, "shared memory: ")).find((line) => / coalesces| comes closest|^\d+-bit|^[AB] of|^shared/.test(line)) || out.split("\n")[0];
    panel.querySelector("pre").textContent = shorten(out);
    panel.querySelector("pre").hidden = out === panel.querySelector(".result").textContent; // one line
    const made = await Promise.all(drawn[name](fields, out).map(async ([title, text]) => [title, await ask("draw", { text })]));
    if (!isLast()) return;
    pictures.replaceChildren(...made.filter(([, picture]) => picture.svg).flatMap(([title, picture]) => {
      const box = element("div", { class: "picture", tabindex: "0", role: "group", "aria-label": title });
      showPicture(box, picture.svg);
      return [element("h2", {}, title), box];
    }));
    for (const box of pictures.querySelectorAll(".picture")) box.classList.toggle("more", box.scrollWidth > box.clientWidth);
  });
  makeExamples(panel.querySelector(".cards"), name);
  return { fields: () => readForm(form), set: (fields) => writeForm(form, { type: "half", swizzle: "0", to: "cute", ...fields }), run };
}

// ---- tabs and the address ----

const remember = () => writeState(current, panels[current].fields());

function select(name, focus) {
  current = name;
  for (const tab of $("tabs").children) {
    const is = tab.getAttribute("aria-controls") === name;
    tab.setAttribute("aria-selected", is);
    tab.tabIndex = is ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = !is;
    if (is && focus) tab.focus();
  }
  for (const field of $(name).querySelectorAll("textarea")) fit(field);
  remember();
  return panels[name].run();
}

function makeTabs() {
  const tabs = [...$("tabs").children];
  $("tabs").addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) select(tab.getAttribute("aria-controls"));
  });
  $("tabs").addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    select(tabs[(to + tabs.length) % tabs.length].getAttribute("aria-controls"), true);
  });
}

function open() {
  const state = readState(Object.keys(panels));
  if (state && Object.keys(state.fields).length) panels[state.panel].set(state.fields);
  return select(state ? state.panel : "expression");
}

// ---- the lists of the library ----

function makeReference(lists) {
  const render = () => {
    const word = $("r-filter").value.toLowerCase();
    const groups = Map.groupBy ? Map.groupBy(lists.operations, (o) => o.group)
      : lists.operations.reduce((m, o) => m.set(o.group, [...(m.get(o.group) ?? []), o]), new Map());
    const parts = [];
    for (const [group, all] of groups) {
      const found = all.filter((o) => `${o.name} ${o.help}`.toLowerCase().includes(word));
      if (!found.length) continue;
      parts.push(element("h2", {}, group), element("dl", {}, ...found.flatMap((o) =>
        [element("dt", { class: "code" }, `${o.name}(${o.takes})`), element("dd", {}, o.help)])));
    }
    const atoms = lists.atoms.filter(([name]) => name.toLowerCase().includes(word)).slice(0, word ? 200 : 40);
    parts.push(element("h2", {}, "Atoms"), element("p", { class: "code" }, atoms.map(([name]) => name).join("  ")));
    $("r-list").replaceChildren(...parts);
  };
  $("r-filter").addEventListener("input", render);
  $("reference").addEventListener("toggle", render, { once: true });
}

function useLists(lists) {
  if (lists.error) return;
  const names = [...lists.operations, ...lists.atoms.map(([name, help]) => ({ name, help: `for ${help}` }))];
  makeHints($("e-text"), $("e-hint"), names);
  makeHints($("w-subject"), $("w-hint"), names);
  makeReference(lists);
}

async function begin() {
  $("links").hidden = !location.pathname.endsWith("/playground.html"); // as the site has it
  makeTabs();
  makeSteps(document);
  const choices = await ask("choices");
  $("version").textContent = `cutlet ${choices.version ?? ""}`;
  for (const select of document.querySelectorAll("[data-list]"))
    select.append(...(choices[select.dataset.list] ?? []).map((value) => element("option", {}, value)));
  Object.assign(panels, { expression: makeExpression(), warp: makeWarp(), beside: makeBeside(), suggest: makeSuggest() });
  for (const name of Object.keys(drawn)) panels[name] = makeCommand(name);
  for (const side of document.querySelectorAll("[data-side]")) makeSteps(side);
  for (const [name, panel] of Object.entries(panels)) panel.set(examples[name][0][1]);
  window.addEventListener("hashchange", open);
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the fragment is the state
    $("main").focus();
  });
  $("share").addEventListener("click", () => {
    remember();
    copyText(location.href, "Link");
    flash($("share"), "Copied");
  });
  await open();
  useLists(await ask("operations"));
}

begin();
