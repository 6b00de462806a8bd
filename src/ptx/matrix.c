/* Matrices: ldmatrix, stmatrix, mma.sync, wgmma. */
#include "handlers.h"

#include <cutlet/mma/mma_atom.h>

#include "grid/run/mma_values.h"

/* clang-format off */
static const int types[PTX_TYPES] = {
    [PTX_F16] = CT_MMA_F16, [PTX_BF16] = CT_MMA_BF16, [PTX_TF32] = CT_MMA_TF32, [PTX_F32] = CT_MMA_F32, [PTX_F64] = CT_MMA_F64,
    [PTX_B1] = CT_MMA_U1, [PTX_S4] = CT_MMA_S4, [PTX_U4] = CT_MMA_U4, [PTX_S8] = CT_MMA_S8, [PTX_U8] = CT_MMA_U8,
    [PTX_S32] = CT_MMA_S32, [PTX_E4M3] = CT_MMA_E4M3, [PTX_E5M2] = CT_MMA_E5M2};
/* clang-format on */

CT_PTX_DO(ldmatrix)
{
    uint32_t words[4] = {0};
    ct_grid_ldmatrix(SITE, words, SHARED(1), in->count, in->mode);
    ct_ptx_scatter(x, OPERAND(0), 4, words);
}
CT_PTX_DO(stmatrix)
{
    uint32_t words[4] = {0};
    ct_ptx_gather(x, OPERAND(1), 4, words);
    ct_grid_stmatrix(SITE, SHARED(0), words, in->count, in->mode);
}

/* The metadata of a sparse instruction, which stands from an operand on, and its selector. */
static ct_metadata metadata_of(const ct_ptx_thread *x, const ct_ptx_ins *in, int i)
{
    const int is_sparse = in->more->mma.sparse;
    return (ct_metadata){is_sparse ? (uint32_t)x->r[OPERAND(i)->reg] : 0,
                         is_sparse ? INT(x->r[OPERAND(i + 1)->reg]) : 0, in->mode};
}
CT_PTX_DO(mma)
{
    const ct_mma_op *const op = &in->more->mma;
    _Alignas(16) unsigned char a[256], b[256], c[256], d[256];
    ct_ptx_gather(x, OPERAND(1), ct_mma_register_bytes(op->a), a);
    ct_ptx_gather(x, OPERAND(2), ct_mma_register_bytes(op->b), b);
    ct_ptx_gather(x, OPERAND(3), ct_mma_register_bytes(op->c), c);
    const ct_metadata metadata = metadata_of(x, in, 4);
    ct_grid_mma_with(SITE, op, d, a, b, c, &metadata);
    ct_ptx_scatter(x, OPERAND(0), ct_mma_register_bytes(op->d), d);
}
/* The numbers of the registers of D. */
static const int32_t *registers(const ct_ptx_thread *x, const ct_ptx_operand *o, int32_t *to)
{
    for (int i = 0; i < o->count; ++i) to[i] = (int32_t)(&x->r[o->list[i].reg] - x->file.r);
    return to;
}

/* An operand behind the scale of D: the signs of A and B, then the transposes of what is in shared
 * memory. */
static int number(const ct_ptx_thread *x, const ct_ptx_ins *in, int i, int otherwise)
{
    return i < in->more->count ? INT(x->r[OPERAND(i)->reg]) : otherwise;
}
CT_PTX_DO(wgmma)
{
    static const int majors[2][2] = {{CT_MMA_TN, CT_MMA_TT}, {CT_MMA_NN, CT_MMA_NT}};
    const ct_ptx_operand *const a = OPERAND(1);
    const int is_rs = a->kind == OPERAND_VECTOR,
              at = in->more->mma.sparse ? 5 : 3; /* the scale of D */
    const int scale = (int)(x->r[OPERAND(at)->reg] & 1) ^ OPERAND(at)->is_not;
    const int trans_a = is_rs ? 0 : number(x, in, at + 3, 0) & 1,
              trans_b = number(x, in, is_rs ? at + 3 : at + 4, 0) & 1;
    ct_mma_op op = in->more->mma;
    int32_t d[D_WORDS];
    uint32_t words[4];
    if (number(x, in, at + 1, 1) != 1 || number(x, in, at + 2, 1) != 1)
        CT_PTX_FAIL(CT_GRID_E_ATOM, "A or B is negated, which the grid does not do");
    op.major = majors[trans_a][trans_b];
    if (is_rs) ct_ptx_gather(x, a, 4, words);
    const ct_metadata metadata = metadata_of(x, in, 3);
    ct_grid_wgmma_owned(SITE, &x->file, OPERAND(0)->count, registers(x, OPERAND(0), d),
                        (ct_wgmma_lane){&op, NULL, is_rs ? (const unsigned char *)words : NULL,
                                        is_rs ? 0 : A, B, scale, &metadata});
}
CT_PTX_DO(wgmma_fence) { ct_grid_wgmma_fence(); }
CT_PTX_DO(wgmma_commit)
{
    ++x->file.groups;
    ct_grid_wgmma_commit();
}
CT_PTX_DO(wgmma_wait) { ct_grid_wgmma_wait_owned(SITE, &x->file, INT(D)); }
static void check_register(ct_ptx_thread *x, const ct_ptx_ins *in, const ct_ptx_operand *o)
{
    if (o->kind == OPERAND_LABEL || o->is_constant || !x->file.tags[&x->r[o->reg] - x->file.r])
        return;
    CT_PTX_FAIL(CT_GRID_E_IN_FLIGHT, "it uses a register of D of a wgmma that was not waited for");
}

/* The compiler renames D between two instructions in flight: a `mov` passes a tag on. */
void ct_ptx_check_tags(ct_ptx_thread *x, const ct_ptx_ins *in)
{
    const ct_ptx_operand *const o = OPERAND(0);
    if (in->run == wgmma_any || in->run == wgmma_wait_any) return;
    if (in->flags & FLAG_MOVE && in->guard < 0) {
        ct_grid_move_tag(&x->file, &D - x->file.r, o[1].is_constant ? -1 : &A - x->file.r);
        return;
    }
    for (int i = 0; i < in->more->count; ++i) {
        for (int k = 0; k < o[i].count; ++k) check_register(x, in, &o[i].list[k]);
        if (o[i].kind != OPERAND_VECTOR) check_register(x, in, &o[i]);
    }
}
/* The architecture of an instruction is the first that has it. */
static int exists(ct_mma_op *op)
{
    static const int archs[] = {70, 75, 80, 89, 90};
    for (size_t i = 0; i < sizeof archs / sizeof *archs; ++i) {
        op->arch = archs[i];
        if (ct_mma_exists(*op) >= 2) return 1;
    }
    return 0;
}

/* mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32, wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 */
static void decode(ct_ptx_parser *p, ct_ptx_ins *in)
{
    static const int majors[2][2] = {{CT_MMA_NN, CT_MMA_NT}, {CT_MMA_TN, CT_MMA_TT}};
    static const int forms[] = {0, 0, CT_MMA_ANDPOPC, 0, CT_MMA_XORPOPC}; /* by what `and` sets */
    const ct_ptx_operand *const o = in->more->operands;
    const char *const text = in->more->text;
    const int32_t *const t = in->more->types;
    const int is_group = text[0] == 'w', is_rs = is_group && o[1].kind == OPERAND_VECTOR,
              row_a = !strstr(text, ".col.row") && !strstr(text, ".col.col"),
              row_b = strstr(text, ".row.row") || strstr(text, ".col.row");
    ct_mma_op op = in->more->mma;
    op.kind = is_group ? CT_MMA_WARPGROUP : CT_MMA_WARP;
    op.blocks = 1;
    op.sparse = strstr(text, ".sp") != NULL;
    op.form = in->flags & FLAG_SAT ? CT_MMA_SATURATE : forms[in->count];
    op.d = types[t[0]], op.a = types[t[1]], op.b = types[t[2]], op.c = types[t[is_group ? 0 : 3]];
    op.major = majors[row_a][row_b];
    if (is_group) op.a_from = is_rs ? CT_MMA_REGISTERS : CT_MMA_SHARED, op.b_from = CT_MMA_SHARED;
    if (op.m == 8 && op.n == 8 && op.k == 4 && op.a == CT_MMA_F16) op.kind = CT_MMA_QUAD_PAIR;
    if (!t[2] || (t[3] == 0) != is_group || !exists(&op)) {
        ct_ptx_refuse(p, in->more->line, "the grid has no instruction %s", text);
        return;
    }
    const int counts[4] = {
        ct_mma_registers(&op, op.m * op.n, op.d),
        is_group && !is_rs ? 1 : ct_mma_registers(&op, op.m * ct_mma_a_columns(op), op.a),
        is_group ? 1 : ct_mma_registers(&op, op.n * op.k, op.b),
        is_group ? 1 : ct_mma_registers(&op, op.m * op.n, op.c)};
    for (int i = 0; i < 4; ++i)
        if (ct_ptx_elements(&o[i]) != counts[i])
            ct_ptx_refuse(p, in->more->line, "%s: operand %d has %d registers; it takes %d", text,
                          i + 1, ct_ptx_elements(&o[i]), counts[i]);
    in->more->mma = op;
    in->mode = !is_group && strstr(text, "::ordered_metadata") != NULL;
}

/* clang-format off */
#define MMA(name, operands, run) {name, "", "MNK aligned row col satfinite xor and popc", operands, 4, {run}, decode}
#define TILES(name, operands, run) {name "matrix.sync.aligned.m8n8", "- trans", "x1 x2 x4 shared shared::cta", operands, 1, {run}, NULL}
const ct_ptx_opcode ct_ptx_matrix_rows[] = {
    TILES("ld", "va", ldmatrix_any), TILES("st", "au", stmatrix_any),
    MMA("mma.sync", "VUUU", mma_any), MMA("mma.sp.sync", "VUUUww", mma_any), MMA("mma.sp::ordered_metadata.sync", "VUUUww", mma_any),
    MMA("wgmma.mma_async.sync.aligned", "VUSq?SSSS", wgmma_any), MMA("wgmma.mma_async.sp.sync.aligned", "VUSwwq?SSSS", wgmma_any),
    {"wgmma.fence.sync.aligned", "", "", "", 0, {wgmma_fence_any}, NULL},
    {"wgmma.commit_group.sync.aligned", "", "", "", 0, {wgmma_commit_any}, NULL},
    {"wgmma.wait_group.sync.aligned", "", "", "w", 0, {wgmma_wait_any}, NULL},
    {0},
};
/* clang-format on */
