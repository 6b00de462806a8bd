// The state of the page in the fragment of its address: `#expression&text=...`.

// {panel, fields}, or null where the fragment names no panel.
export function readState(panels) {
  const [panel, ...rest] = location.hash.slice(1).split("&");
  if (!panels.includes(panel)) return null;
  return { panel, fields: Object.fromEntries(new URLSearchParams(rest.join("&"))) };
}

export function writeState(panel, fields) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) if (value !== "") query.set(key, value);
  const text = String(query);
  history.replaceState(null, "", `#${panel}${text ? `&${text}` : ""}`);
}
