// Runs the library beside the page, so that typing never waits for it.
import { load } from "./module.js";

let take = null;
const loading = new Promise((resolve) => { take = resolve; }).then(load);
onmessage = async ({ data: { compiled, id, name, fields } }) => {
  if (compiled) {
    take(compiled); // the first message
    return;
  }
  try {
    const ask = await loading;
    postMessage({ id, answer: ask(name, fields) });
  } catch (wrong) {
    postMessage({ id, answer: { error: { field: "", message: `the library could not be loaded: ${wrong.message}` } } });
  }
};
