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

function save(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// The picture as it is on the page, twice as large.
async function savePng(svg, picture) {
  const image = new Image(), canvas = element("canvas");
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  [canvas.width, canvas.height] = ["width", "height"].map((side) => 2 * Number.parseFloat(picture.getAttribute(side)));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(blob, "layout.png"));
  URL.revokeObjectURL(image.src);
}

const labels = (root) => [...root.querySelectorAll(".picture > svg text")].filter((text) => !text.closest(".h, .r, .t, .c"));

const wordOf = (text) => text.firstChild?.nodeValue ?? ""; // before its title

// Marks the label nearest to a click in every picture of the panel: all that a thread holds, all places of an offset.
// The marks have the colour of the picture that was clicked, and stay when another colour is marked.
function mark(box, event) {
  const panel = box.closest("[role=tabpanel]"), svg = box.querySelector(":scope > svg");
  const distance = (text) => {
    const at = text.getBoundingClientRect();
    return Math.hypot((at.left + at.right) / 2 - event.clientX, (at.top + at.bottom) / 2 - event.clientY);
  };
  const [nearest] = labels(panel).filter((text) => svg.contains(text)).sort((a, b) => distance(a) - distance(b));
  const word = nearest && wordOf(nearest), of = box.dataset.of ?? 0, again = !word || box.dataset.marked === word;
  for (const old of panel.querySelectorAll(`.mark.of-${of}`)) old.remove();
  for (const other of panel.querySelectorAll("[data-marked]")) if ((other.dataset.of ?? 0) === of) other.dataset.marked = "";
  box.dataset.marked = again ? "" : word;
  if (again) return;
  const same = labels(panel).filter((text) => wordOf(text) === word);
  for (const text of same) {
    const { x, y, width, height } = text.getBBox(), made = document.createElementNS(text.namespaceURI, "rect");
    for (const [key, value] of Object.entries({ class: `mark of-${of}`, x: x - 5 - of, y: y - 2 - of, width: width + 10 + 2 * of,
      height: height + 4 + 2 * of, rx: 3 })) made.setAttribute(key, value);
    text.after(made);
  }
  say(`${word}: ${count(same.length, "place")}`);
}

function makeTools(box, svg, picture) {
  const width = Number.parseFloat(picture.getAttribute("width"));
  let zoom = 0;
  const by = (step) => () => {
    zoom += step;
    picture.style.width = picture.style.minWidth = `${width * 1.25 ** zoom}px`;
    picture.style.maxWidth = "none";
  };
  const tools = [["−", "Smaller", by(-1)], ["+", "Larger", by(1)], ["Full", "Full screen", () => box.requestFullscreen()],
    ["SVG", "Save as SVG", () => save(new Blob([svg], { type: "image/svg+xml" }), "layout.svg")],
    ["PNG", "Save as PNG", () => savePng(svg, picture)]];
  return element("div", { class: "tools" }, ...tools.map(([text, title, onclick]) =>
    element("button", { type: "button", title, "aria-label": title, onclick }, text)));
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
  picture.addEventListener("click", (event) => mark(box, event));
  box.replaceChildren(makeTools(box, svg, picture), picture);
  box.classList.toggle("more", box.scrollWidth > box.clientWidth);
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
  const languages = [["c", "C"], ["cute", "CuTe C++"], ["python", "Python"], ["systems", "Other systems"]];
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
