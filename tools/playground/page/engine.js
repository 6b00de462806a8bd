// Requests to the worker. One that takes too long is ended with its worker.

import { $ } from "./parts.js";

const LIMIT_MS = 20000;

// The library, which the page holds packed.
const raw = atob($("library").textContent), packed = new Uint8Array(raw.length);
for (let i = 0; i < packed.length; ++i) packed[i] = raw.charCodeAt(i);
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const library = WebAssembly.compileStreaming(new Response(unpacked, { headers: { "Content-Type": "application/wasm" } }));
let worker = null;
let last = 0;
const asked = new Map(); // id -> {resolve, name, fields, timer}

function start() {
  worker = new Worker(URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" })));
  const own = worker;
  library.then((compiled) => own.postMessage({ compiled }), (wrong) => fail(`the library could not be loaded: ${wrong.message}`));
  worker.onmessage = ({ data: { id, answer } }) => {
    const request = asked.get(id);
    if (!request) return;
    asked.delete(id);
    clearTimeout(request.timer);
    request.resolve(answer);
    watch();
  };
  worker.onerror = (event) => fail(`the library could not be loaded: ${event.message || "no worker"}`);
}

function fail(message) {
  worker.terminate();
  worker = null;
  const waiting = [...asked.values()];
  asked.clear();
  for (const request of waiting) {
    clearTimeout(request.timer);
    request.resolve({ error: { field: "", message } });
  }
}

// The worker takes requests in order: the time of the first that is open runs.
function watch() {
  const [first] = asked.values();
  if (!first || first.timer) return;
  first.timer = setTimeout(() => fail(`stopped after ${LIMIT_MS / 1000} seconds: try smaller layouts`), LIMIT_MS);
}

// The answer to a request; see play.h.
export function ask(name, fields = {}) {
  if (!worker) start();
  const id = ++last;
  return new Promise((resolve) => {
    asked.set(id, { resolve, timer: null });
    worker.postMessage({ id, name, fields });
    watch();
  });
}
