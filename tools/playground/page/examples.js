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
    ["A print of CuTe", { text: "Sw<3,4,3>_smem_ptr[16b](0x7f0000000000) o (_8,_64):(_64,_1)" }],
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
  compare: [
    ["Along the rows, and along the columns", { src: "(4096,4096):(4096,1)", "copy.1": "(16,8):(8,1) x (1,8)", "copy.2": "(16,8):(1,16) x (8,1)" }],
    ["One value or eight", { src: "(4096,4096):(4096,1)", "copy.1": "(4,32):(32,1) x (1,1)", "copy.2": "(16,8):(8,1) x (1,8)" }],
    ["Column-major floats", { src: "(16384,16384):(1,16384)", type: "float", "copy.1": "(32,4):(1,32) x (4,1)", "copy.2": "(16,8):(8,1) x (1,4)" }],
    ["Into a swizzled tile", { src: "(4096,4096):(4096,1)", shared: "Sw<3,3,3> o 0 o (128,64):(64,1)", "copy.1": "(16,8):(8,1) x (1,8)" }],
  ],
  width: [
    ["Threads along the columns of rows", { src: "(512,512):(512,1)", thr: "(8,16):(1,8)", val: "(8,1)" }],
    ["No threads: some are proposed", { src: "(4096,4096):(4096,1)", dst: "(64,64):(64,1)" }],
    ["A padded source", { src: "(512,512):(516,1)", dst: "(512,512):(512,1)", thr: "(16,8):(8,1)", val: "(1,8)", "src-align": "4" }],
    ["A stride of run time", { src: "(512,512):(?,1)", thr: "(16,8):(8,1)", val: "(1,8)" }],
  ],
  tma: [
    ["Two boxes of 128 bytes", { layout: "(4096,4096):(4096,1)", box: "128x128", swizzle: "128" }],
    ["Column-major floats", { layout: "(4096,4096):(1,4096)", box: "64x64", type: "float" }],
    ["Pictures in a batch", { layout: "(64,4096,32):(131072,1,4096)", box: "2x32x4", swizzle: "64" }],
    ["A stride that TMA lacks", { layout: "(64,60):(60,1)", box: "8x32" }],
  ],
  descriptor: [
    ["A, K-major, 128 bytes", { layout: "Sw<3,3,3> o 0 o (64,64):(64,1)", operand: "a", atom: "SM90_64x128x16_F32F16F16_SS" }],
    ["B, N-major", { layout: "Sw<3,3,3> o 0 o ((64,2),64):((1,4096),64)", operand: "b", atom: "SM90_64x128x16_F32F16F16_SS" }],
    ["A plain tile: none reads it", { layout: "(64,64):(64,1)", operand: "a", atom: "SM90_64x128x16_F32F16F16_SS" }],
  ],
  convert: [
    ["A print of CuTe", { layout: "Sw<3,4,3>_smem_ptr[16b](0x7f0000000000) o (_8,_64):(_64,_1)", to: "cutlet" }],
    ["A layout for CuTe", { layout: "(4,8):(8,1)", to: "cute" }],
    ["Triton's blocked", { layout: "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>", shape: "64x64", to: "cutlet" }],
    ["Gluon", { layout: "gl.SwizzledSharedLayout(8, 1, 8, [1, 0])", shape: "64x64", to: "cutlet" }],
    ["NumPy", { layout: "(4,8):(8,1)", to: "numpy" }],
  ],
  suggest: [["", { type: "half", tile: "128x64", src: "(4096,4096):(4096,1)", threads: "128", read: "ldmatrix" }]],
};
