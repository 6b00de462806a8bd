/* Matrices: ldmatrix, stmatrix, mma.sync, wgmma. */
#include "handlers.h"

#include <stdio.h>

#include <cutlet/mma/mma_atom.h>

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

/* The bytes of a register of an operand. */
static int bytes_of(int mma_type) { return mma_type == CT_MMA_F64 ? 8 : 4; }

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
    ct_ptx_gather(x, OPERAND(1), bytes_of(op->a), a);
    ct_ptx_gather(x, OPERAND(2), bytes_of(op->b), b);
    ct_ptx_gather(x, OPERAND(3), bytes_of(op->c), c);
    const ct_metadata metadata = metadata_of(x, in, 4);
    ct_grid_mma_with(SITE, op, d, a, b, c, &metadata);
    ct_ptx_scatter(x, OPERAND(0), bytes_of(op->d), d);
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
static int type_of(const char *word, size_t length)
{
    static const int types[] = {CT_MMA_F16, CT_MMA_BF16, CT_MMA_TF32, CT_MMA_F32, CT_MMA_F64,
                                CT_MMA_U1,  CT_MMA_S4,   CT_MMA_U4,   CT_MMA_S8,  CT_MMA_U8,
                                CT_MMA_S32, CT_MMA_E4M3, CT_MMA_E5M2};
    const int place =
        ct_ptx_place("f16 bf16 tf32 f32 f64 b1 s4 u4 s8 u8 s32 e4m3 e5m2", word, length);
    return place < 0 ? CT_MMA_NO_TYPE : types[place];
}
int ct_ptx_mma_shape(const char *word, ct_mma_op *op)
{
    int length = 0;
    return sscanf(word, "m%dn%dk%d%n", &op->m, &op->n, &op->k, &length) == 3 &&
           (!word[length] || word[length] == '.');
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
static void decode(ct_ptx_parser *p, ct_ptx_ins *in)
{
    static const int majors[2][2] = {{CT_MMA_NN, CT_MMA_NT}, {CT_MMA_TN, CT_MMA_TT}};
    static const int forms[] = {CT_MMA_SATURATE, CT_MMA_XORPOPC, CT_MMA_ANDPOPC};
    const ct_ptx_operand *const o = in->more->operands;
    const int is_group = in->more->text[0] == 'w',
              is_sparse = strstr(in->more->text, ".sp") != NULL,
              is_rs = is_group && o[1].kind == OPERAND_VECTOR;
    ct_mma_op op = {
        .kind = is_group ? CT_MMA_WARPGROUP : CT_MMA_WARP, .blocks = 1, .sparse = is_sparse};
    int types[4] = {0}, count = 0, layouts = 0, rows[2] = {1, 0};
    const char *word = strchr(in->more->text, '.');
    for (size_t n; word; word = *(word + n) ? word + n : NULL) {
        n = strcspn(++word, ".");
        const int type = type_of(word, n), layout = ct_ptx_place("col row", word, n),
                  form = ct_ptx_place("satfinite xor and", word, n);
        if (ct_ptx_mma_shape(word, &op)) continue;
        if (type && count < 4) types[count++] = type;
        else if (layout >= 0 && layouts < 2) rows[layouts++] = layout;
        else if (form >= 0) op.form = forms[form];
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
    in->mode = !is_group && strstr(in->more->text, "::ordered_metadata") != NULL;
}

/* clang-format off */
#define MMA(name, operands, run) {name, "", "MNK aligned row col satfinite xor and popc f16 bf16 tf32 f32 f64 b1 s4 u4 s8 u8 s32 e4m3 e5m2", \
    operands, 0, {run}, decode}
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
