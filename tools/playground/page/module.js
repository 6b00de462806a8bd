// The library: one WebAssembly module, which takes a request and gives an answer (play.h).

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// What the C library asks of the system. It has no files, no arguments and no environment.
function system(memory) {
  const set32 = (at, n) => new DataView(memory().buffer).setUint32(at, n, true);
  return {
    environ_get: () => 0,
    environ_sizes_get: (count, bytes) => { set32(count, 0); set32(bytes, 0); return 0; },
    fd_close: () => 8,
    fd_seek: () => 8,
    fd_write: () => 8, // EBADF
    fd_read: () => 8,
    fd_fdstat_get: () => 8,
    proc_exit: (status) => { throw new Error(`the library ended with ${status}`); },
  };
}

// A function ask(name, fields) that gives the answer as an object. A trap, as when memory runs out, is an
// answer with an error, and the next request has a fresh instance.
export function load(compiled) {
  let instance = null;
  const start = () => {
    let exports = null;
    instance = new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: system(() => exports.memory) });
    exports = instance.exports;
    exports._initialize();
  };
  const answer = (name, fields) => {
    const texts = [name];
    for (const [key, value] of Object.entries(fields)) {
      if (value !== "" && value != null) texts.push(key, String(value).replaceAll("\0", "?").replace(/[\r\n\t]/g, " "));
    }
    const bytes = encoder.encode(texts.join("\0") + "\0\0");
    const { memory, play_capacity, play } = instance.exports;
    const room = play_capacity(bytes.length);
    if (!room) throw new Error("out of memory");
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
    const at = play();
    const all = new Uint8Array(memory.buffer, at);
    return JSON.parse(decoder.decode(all.subarray(0, all.indexOf(0))));
  };
  start();
  return (name, fields) => {
    try {
      return answer(name, fields);
    } catch (trap) {
      start();
      return { error: { field: "", message: `this needs more memory than the page has (${trap.message})` } };
    }
  };
}
