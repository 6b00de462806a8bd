// What each panel offers to begin with; the first is what it shows.

const COPY = "tiled_copy(copy_atom(universal128, 16), (16,8):(8,1), (1,8))";
const MMA = "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))";

export const examples = {
  expression: [
    ["Composition", { text: "composition((6,2):(8,2), (4,3):(3,1))" }],
    ["A nested layout", { text: "((2,4),8):((1,16),2)" }],
    ["Logical divide", { text: "logical_divide((9,8):(8,1), <3:3,4:1>)" }],
    ["Complement", { text: "complement((2,2):(1,6), 24)" }],
    ["A swizzled tile", { text: "Sw<3,3,3> o 0 o (8,64):(64,1)" }],
    ["A thread-value layout", { text: "((2,4),(2,2)):((8,1),(4,16))", tile: "(4,8)" }],
    ["A tiled copy", { text: "tiled_copy(copy_atom(universal64, 16), (4,8):(8,1), (1,4))" }],
    ["A matrix instruction", { text: "mma_atom(SM80_16x8x8_F32F16F16F32_TN)" }],
    ["A tiled MMA", { text: "tiled_mma(SM80_16x8x8_F32F16F16F32_TN, (2,1,1))" }],
    ["What thread 9 copies", { text: `partition_src(${COPY}, (512,512):(512,1), 9)` }],
    ["A composition that no layout is", { text: "composition((4,6):(1,10), 6:3)" }],
  ],
  warp: [
    ["Rows of halves: conflicts, and a swizzle",
      { subject: "(32,8):(1,32)", memory: "(32,64):(64,1)", kind: "lds", type: "half", swizzle: "Sw<3,3,3>" }],
    ["Neighbours load 16 bytes", { subject: "(32,8):(8,1)", memory: "(256):(1)", kind: "ldg", type: "half" }],
    ["A column of floats", { subject: "(32,1):(1,0)", memory: "(32,32):(32,1)", kind: "ldg", type: "float" }],
    ["Every other float", { subject: "(32,1):(2,0)", memory: "(64):(1)", kind: "ldg", type: "float" }],
    ["A padded column of floats", { subject: "(32,1):(1,0)", memory: "(32,32):(33,1)", kind: "lds", type: "float" }],
    ["A tiled copy loads rows", { subject: COPY, memory: "(128,64):(64,1)", kind: "ldg" }],
    ["A tiled copy stores to shared memory", { subject: COPY, memory: "(16,64):(64,1)", kind: "sts", swizzle: "Sw<3,3,3>" }],
  ],
  beside: [
    ["ldmatrix from a plain and a swizzled tile", {
      "l.subject": MMA, "l.shared_a": "(32,64):(64,1)", "l.shared_b": "(16,64):(64,1)",
      "r.subject": MMA, "r.shared_a": "Sw<3,3,3> o 0 o (32,64):(64,1)", "r.shared_b": "Sw<3,3,3> o 0 o (16,64):(64,1)" }],
    ["A copy into plain and swizzled memory", {
      "l.subject": "tiled_copy(copy_atom(universal128, 16), (32,4):(1,32), (1,8))", "l.src": "(512,512):(512,1)", "l.shared": "(32,64):(64,1)",
      "r.subject": "tiled_copy(copy_atom(universal128, 16), (32,4):(1,32), (1,8))", "r.src": "(512,512):(512,1)", "r.shared": "Sw<3,3,3> o 0 o (32,64):(64,1)" }],
    ["Two orders of threads", { "l.subject": "tiled_copy(copy_atom(universal64, 16), (4,8):(8,1), (1,4))", "l.src": "(64,64):(64,1)",
      "r.subject": "tiled_copy(copy_atom(universal64, 16), (8,4):(1,8), (4,1))", "r.src": "(64,64):(64,1)" }],
    ["A layout that forgets elements", { "l.subject": "(32,4):(1,32)", "l.tile": "(8,16)", "r.subject": "(32,4):(2,32)", "r.tile": "(8,16)" }],
  ],
  suggest: [["", { type: "half", tile: "128x64", src: "(4096,4096):(4096,1)", threads: "128", read: "ldmatrix" }]],
};
