// Runs the library beside the page, so that typing never waits for it.
import { load } from "./module.js";

const loading = load("cutlet.wasm");
onmessage = async ({ data: { id, name, fields } }) => {
  try {
    const ask = await loading;
    postMessage({ id, answer: ask(name, fields) });
  } catch (wrong) {
    postMessage({ id, answer: { error: { field: "", message: `the library could not be loaded: ${wrong.message}` } } });
  }
};
