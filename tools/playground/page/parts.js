// Pieces of the page: elements, tables, pictures, code to copy.

export const $ = (id) => document.getElementById(id);

// An element with attributes and children; a key that begins with `on` is a listener.
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value != null) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

// Tells a screen reader.
export function say(text) {
  $("said").textContent = "";
  setTimeout(() => { $("said").textContent = text; }, 50);
}

export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { class: "unseen" });
    const before = document.activeElement;
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    before?.focus();
  }
  say(`${what} copied`);
}

// Shows that a button did its work, for a moment.
export function flash(button, text) {
  const before = button.dataset.label ??= button.textContent;
  button.textContent = text;
  setTimeout(() => { button.textContent = before; }, 1500);
}

// A picture of the library, or why there is none. A wide one shrinks to its box, but not below seven
// tenths, where its labels would be too small to read: the box scrolls then.
export function showPicture(box, svg, why) {
  if (!svg) {
    box.replaceChildren(element("p", { class: "soft" }, why || ""));
    return;
  }
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const picture = document.importNode(parsed, true);
  picture.style.minWidth = `${0.7 * parsed.getAttribute("width")}px`;
  box.replaceChildren(picture);
}

// A table: the first cell of a row is its heading. A heading of a column of text begins with a blank.
export function fillTable(table, caption, head, rows) {
  const heading = (cells) => element("tr", {}, ...cells.map((cell) => element("th", { scope: "col", class: cell.startsWith(" ") ? "text" : null }, cell.trim())));
  table.replaceChildren(
    ...(caption ? [element("caption", {}, caption)] : []),
    element("thead", {}, heading(head)),
    element("tbody", {}, ...rows.map(([first, ...rest]) => element("tr", {},
      element("th", { scope: "row" }, first),
      ...rest.map((cell) => (cell instanceof Node ? cell : element("td", {}, String(cell))))))));
}

// The languages to choose from, and the text to copy. Returns a function that shows {c, cute, python}.
export function makeCodes(box, name) {
  const languages = [["c", "C"], ["cute", "CuTe C++"], ["python", "Python"]];
  const text = element("pre", { tabindex: "0", role: "group", "aria-label": "Code" });
  const button = element("button", { type: "button", onclick: () => {
    copyText(text.textContent, "Code");
    flash(button, "Copied");
  } }, "Copy code");
  let all = {}, chosen = "c";
  const show = () => { text.textContent = all[chosen] ?? ""; };
  const choices = languages.map(([key, label]) => element("label", {},
    element("input", { type: "radio", name: `${name}-language`, value: key, checked: key === chosen,
      onchange: () => { chosen = key; show(); } }), label));
  box.append(element("div", { class: "pick", role: "radiogroup", "aria-label": "Language" }, ...choices, button), text);
  return (codes) => { all = codes ?? {}; show(); };
}

export const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
