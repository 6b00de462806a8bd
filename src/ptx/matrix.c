/* Matrices: ldmatrix, stmatrix, mma.sync, wgmma. */
#include "handlers.h"

#include <stdio.h>

#include <cutlet/mma/mma_atom.h>

CT_PTX_RUN(ct_ptx_ldmatrix)
{
    uint32_t words[4] = {0};
    ct_grid_ldmatrix(SITE, words, SHARED(1), in->count, in->mode);
    ct_ptx_scatter(x, OPERAND(0), 4, words);
    return in + 1;
}
CT_PTX_RUN(ct_ptx_stmatrix)
{
    uint32_t words[4] = {0};
    ct_ptx_gather(x, OPERAND(1), 4, words);
    ct_grid_stmatrix(SITE, SHARED(0), words, in->count, in->mode);
    return in + 1;
}

/* The bytes of a register of an operand. */
static int bytes_of(int mma_type) { return mma_type == CT_MMA_F64 ? 8 : 4; }

/* The metadata of a sparse instruction, which stands from an operand on, and its selector. */
static ct_metadata metadata_of(const ct_ptx_thread *x, const ct_ptx_ins *in, int i)
{
    const int is_sparse = in->more->mma.sparse;
    return (ct_metadata){is_sparse ? (uint32_t)x->r[OPERAND(i)->reg] : 0,
                         is_sparse ? INT(x->r[OPERAND(i + 1)->reg]) : 0, in->mode};
}
CT_PTX_RUN(ct_ptx_mma)
{
    const ct_mma_op *const op = &in->more->mma;
    _Alignas(16) unsigned char a[256], b[256], c[256], d[256];
    ct_ptx_gather(x, OPERAND(1), bytes_of(op->a), a);
    ct_ptx_gather(x, OPERAND(2), bytes_of(op->b), b);
    ct_ptx_gather(x, OPERAND(3), bytes_of(op->c), c);
    const ct_metadata metadata = metadata_of(x, in, 4);
    ct_grid_mma_with(SITE, op, d, a, b, c, &metadata);
    ct_ptx_scatter(x, OPERAND(0), bytes_of(op->d), d);
    return in + 1;
}
static int type_of(const char *word)
{
    static const struct {
        const char *name;
        int type;
    } types[] = {{"f16", CT_MMA_F16},  {"bf16", CT_MMA_BF16}, {"tf32", CT_MMA_TF32},
                 {"f32", CT_MMA_F32},  {"f64", CT_MMA_F64},   {"b1", CT_MMA_U1},
                 {"s4", CT_MMA_S4},    {"u4", CT_MMA_U4},     {"s8", CT_MMA_S8},
                 {"u8", CT_MMA_U8},    {"s32", CT_MMA_S32},   {"e4m3", CT_MMA_E4M3},
                 {"e5m2", CT_MMA_E5M2}};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (strcmp(types[i].name, word) == 0) return types[i].type;
    return CT_MMA_NO_TYPE;
}
int ct_ptx_mma_shape(const char *word, ct_mma_op *op)
{
    int length = 0;
    return sscanf(word, "m%dn%dk%d%n", &op->m, &op->n, &op->k, &length) == 3 && !word[length];
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

/* The registers of a lane of 32 or 128 that an operand of so many elements takes. */
static int registers_of(const ct_mma_op *op, int elements, int type)
{
    const int lanes = op->kind == CT_MMA_WARPGROUP ? 128 : op->kind == CT_MMA_QUAD_PAIR ? 8 : 32;
    return elements * ct_mma_bits(type) / (8 * bytes_of(type)) / lanes;
}

/* mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32, wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 */
void ct_ptx_decode_mma(ct_ptx_parser *p, ct_ptx_ins *in, char *const *words)
{
    static const int majors[2][2] = {{CT_MMA_NN, CT_MMA_NT}, {CT_MMA_TN, CT_MMA_TT}};
    const ct_ptx_operand *const o = in->more->operands;
    const int is_group = words[0][0] == 'w', is_sparse = strncmp(words[1 + is_group], "sp", 2) == 0,
              is_rs = is_group && o[1].kind == OPERAND_VECTOR;
    ct_mma_op op = {
        .kind = is_group ? CT_MMA_WARPGROUP : CT_MMA_WARP, .blocks = 1, .sparse = is_sparse};
    int types[4] = {0}, count = 0, layouts = 0, rows[2] = {1, 0};
    for (int i = 1; words[i]; ++i) {
        const int type = type_of(words[i]), is_row = strcmp(words[i], "row") == 0;
        if (ct_ptx_mma_shape(words[i], &op)) continue;
        if (type && count < 4) types[count++] = type;
        else if ((is_row || strcmp(words[i], "col") == 0) && layouts < 2) rows[layouts++] = is_row;
        else if (strcmp(words[i], "satfinite") == 0) op.form = CT_MMA_SATURATE;
        else if (strcmp(words[i], "xor") == 0 || strcmp(words[i], "and") == 0)
            op.form = words[i][0] == 'x' ? CT_MMA_XORPOPC : CT_MMA_ANDPOPC;
    }
    op.d = types[0], op.a = types[1], op.b = types[2], op.c = is_group ? op.d : types[3];
    op.major = majors[rows[0]][rows[1]];
    if (is_group) op.a_from = is_rs ? CT_MMA_REGISTERS : CT_MMA_SHARED, op.b_from = CT_MMA_SHARED;
    if (op.m == 8 && op.n == 8 && op.k == 4 && op.a == CT_MMA_F16) op.kind = CT_MMA_QUAD_PAIR;
    if (count != (is_group ? 3 : 4) || !exists(&op)) {
        ct_ptx_refuse(p, in->more->line, "the grid has no instruction %s", in->more->text);
        return;
    }
    const int counts[4] = {
        registers_of(&op, op.m * op.n, op.d),
        is_group && !is_rs ? 1 : registers_of(&op, op.m * ct_mma_a_columns(op), op.a),
        is_group ? 1 : registers_of(&op, op.n * op.k, op.b),
        is_group ? 1 : registers_of(&op, op.m * op.n, op.c)};
    for (int i = 0; i < 4; ++i)
        if (ct_ptx_elements(&o[i]) != counts[i])
            ct_ptx_refuse(p, in->more->line, "%s: operand %d has %d registers; it takes %d",
                          in->more->text, i + 1, ct_ptx_elements(&o[i]), counts[i]);
    in->more->mma = op;
    in->mode = !is_group && is_sparse && words[1][2]; /* ::ordered_metadata */
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
    return i < in->more->count ? (int)(int32_t)(uint32_t)x->r[OPERAND(i)->reg] : otherwise;
}
CT_PTX_RUN(ct_ptx_wgmma)
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
        ct_ptx_fail(x, in, CT_GRID_E_ATOM, "A or B is negated, which the grid does not do");
    op.major = majors[trans_a][trans_b];
    if (is_rs) ct_ptx_gather(x, a, 4, words);
    const ct_metadata metadata = metadata_of(x, in, 3);
    ct_grid_wgmma_owned(SITE, &x->file, OPERAND(0)->count, registers(x, OPERAND(0), d),
                        (ct_wgmma_lane){&op, NULL, is_rs ? (const unsigned char *)words : NULL,
                                        is_rs ? 0 : A, B, scale, &metadata});
    return in + 1;
}
CT_PTX_DO(wgmma_fence, ct_grid_wgmma_fence())
CT_PTX_DO(wgmma_commit, ++x->file.groups; ct_grid_wgmma_commit())
CT_PTX_DO(wgmma_wait, ct_grid_wgmma_wait_owned(SITE, &x->file, INT(D)))
static void check_register(ct_ptx_thread *x, const ct_ptx_ins *in, const ct_ptx_operand *o)
{
    if (o->kind == OPERAND_LABEL || o->is_constant || !x->file.tags[&x->r[o->reg] - x->file.r])
        return;
    ct_ptx_fail(x, in, CT_GRID_E_IN_FLIGHT,
                "it uses a register of D of a wgmma that was not waited for");
}

/* The compiler renames D between two instructions in flight: a `mov` passes a tag on. */
void ct_ptx_check_tags(ct_ptx_thread *x, const ct_ptx_ins *in)
{
    const ct_ptx_operand *const o = OPERAND(0);
    if (in->run == ct_ptx_wgmma || in->run == ct_ptx_wgmma_wait) return;
    if (in->run == ct_ptx_mov_by[PTX_B32] && in->guard < 0) {
        ct_grid_move_tag(&x->file, &D - x->file.r, o[1].is_constant ? -1 : &A - x->file.r);
        return;
    }
    for (int i = 0; i < in->more->count; ++i) {
        for (int k = 0; k < o[i].count; ++k) check_register(x, in, &o[i].list[k]);
        if (o[i].kind != OPERAND_VECTOR) check_register(x, in, &o[i]);
    }
}
