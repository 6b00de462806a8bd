// Requests to the worker. One that takes too long is ended with its worker.

const LIMIT_MS = 20000;

let worker = null;
let count = 0;
const open = new Map(); // id -> {resolve, name, fields, timer}

function start() {
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data: { id, answer } }) => {
    const request = open.get(id);
    if (!request) return;
    open.delete(id);
    clearTimeout(request.timer);
    request.resolve(answer);
    watch();
  };
  worker.onerror = (event) => fail(`the library could not be loaded: ${event.message || "no worker"}`);
}

function fail(message) {
  worker.terminate();
  worker = null;
  const waiting = [...open.values()];
  open.clear();
  for (const request of waiting) {
    clearTimeout(request.timer);
    request.resolve({ error: { field: "", message } });
  }
}

// The worker takes requests in order: the time of the first that is open runs.
function watch() {
  const [first] = open.values();
  if (!first || first.timer) return;
  first.timer = setTimeout(() => fail(`stopped after ${LIMIT_MS / 1000} seconds: try smaller layouts`), LIMIT_MS);
}

// The answer to a request; see play.h.
export function ask(name, fields = {}) {
  if (!worker) start();
  const id = ++count;
  return new Promise((resolve) => {
    open.set(id, { resolve, timer: null });
    worker.postMessage({ id, name, fields });
    watch();
  });
}
