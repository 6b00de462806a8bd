/**
 * The names of matrix instructions, as CuTe writes them.
 *
 *     SM80_16x8x16_F32F16F16F32_TN          mma.sync, D A B C; after it _SATURATE, _XORPOPC,
 *                                           _ANDPOPC, _VS or _VS16
 *     SM80_SPARSE_16x8x32_F32F16F16F32_TN   mma.sp.sync; so with those of wgmma
 *     SM90_64x128x16_F32F16F16_SS           wgmma, D A B; A from shared memory (SS) or registers
 *                                           (RS); _TN where the types allow no other; _SATURATE
 *     SM100_256x128x16_F32F16F16_2x1SM_SS   tcgen05.mma, here of two blocks; A from shared memory
 *                                           (SS) or tensor memory (TS); after it _VS, _VS16 or
 *                                           _WS
 *     SM100_SPARSE_128x64x32_F32F16F16_SS   tcgen05.mma.sp
 *     SM61_DP4A, SM61_DP2A, universal_fma
 *
 * CuTe has the fields of sm_100 and sm_120 as template arguments; here they are in the name, too.
 */
#ifndef CUTLET_MMA_MMA_NAME_H
#define CUTLET_MMA_MMA_NAME_H

#include <cutlet/mma/mma_op.h>

/** @internal The name of an element type; the empty string for a number that names no type. */
CT_FN const char *ct_mma_type_name(int32_t type)
{
    switch (type) {
        case CT_MMA_F16: return "F16";
        case CT_MMA_BF16: return "BF16";
        case CT_MMA_TF32: return "TF32";
        case CT_MMA_F32: return "F32";
        case CT_MMA_F64: return "F64";
        case CT_MMA_C64: return "C64";
        case CT_MMA_GC64: return "GC64";
        case CT_MMA_U1: return "U1";
        case CT_MMA_S4: return "S4";
        case CT_MMA_U4: return "U4";
        case CT_MMA_S8: return "S8";
        case CT_MMA_U8: return "U8";
        case CT_MMA_S16: return "S16";
        case CT_MMA_S32: return "S32";
        case CT_MMA_E2M1: return "E2M1";
        case CT_MMA_E2M3: return "E2M3";
        case CT_MMA_E3M2: return "E3M2";
        case CT_MMA_E4M3: return "E4M3";
        case CT_MMA_E5M2: return "E5M2";
        default: return "";
    }
}

/** @internal Moves *p past a word if it begins there. */
CT_FN int ct_name_take(const char **p, const char *word)
{
    const char *q = *p;
    for (; *word; ++word, ++q) {
        if (*q != *word) return 0;
    }
    *p = q;
    return 1;
}

/** @internal Reads at most four digits at *p and moves *p past them. Returns their number, or 0
 *  if *p is at no digit from 1 to 9. */
CT_FN int32_t ct_name_number(const char **p)
{
    int32_t v = 0;
    if (**p == '0') return 0; /* no name has a leading zero */
    for (int digits = 0; **p >= '0' && **p <= '9' && digits < 4; ++digits, ++*p)
        v = 10 * v + (**p - '0');
    return v;
}

/** @internal Reads an element type at *p and moves *p past it. Returns CT_MMA_NO_TYPE, and leaves
 *  *p, if *p is at no type. */
CT_FN int32_t ct_name_type(const char **p)
{
    for (int32_t type = 1; type < CT_MMA_TYPE_COUNT; ++type) {
        if (ct_name_take(p, ct_mma_type_name(type))) return type;
    }
    return CT_MMA_NO_TYPE;
}

/** @internal The kind of instruction of that architecture and shape. */
CT_FN int32_t ct_mma_kind_of(int32_t arch, int32_t m)
{
    if (arch == 70) return CT_MMA_QUAD_PAIR;
    if (arch == 100) return CT_MMA_BLOCK;
    return arch == 90 && m == 64 ? CT_MMA_WARPGROUP : CT_MMA_WARP;
}

/** @internal Whether a wgmma of that type of A takes A and B with the mode k contiguous only. */
CT_FN int ct_mma_only_tn(int32_t a) { return a != CT_MMA_F16 && a != CT_MMA_BF16; }

/** @internal Reads the form of an instruction that takes scale factors, or is one of
 *  tcgen05.mma.ws. */
CT_FN void ct_name_form(ct_mma_op *op, const char **p)
{
    if (ct_name_take(p, "_VS16")) op->form = CT_MMA_SCALED_16;
    else if (ct_name_take(p, "_VS")) op->form = CT_MMA_SCALED;
    else if (op->kind == CT_MMA_BLOCK && ct_name_take(p, "_WS")) op->form = CT_MMA_WS;
}

/** @internal Reads the part after the types of mma.sync. */
CT_FN void ct_name_warp(ct_mma_op *op, const char **p)
{
    if (ct_name_take(p, "_TN")) op->major = CT_MMA_TN;
    else if (ct_name_take(p, "_NT")) op->major = CT_MMA_NT;
    else if (ct_name_take(p, "_NN")) op->major = CT_MMA_NN;
    else if (ct_name_take(p, "_TT")) op->major = CT_MMA_TT;
    else return;
    op->kind = ct_mma_kind_of(op->arch, op->m);
    if (ct_name_take(p, "_SATURATE")) op->form = CT_MMA_SATURATE;
    else if (ct_name_take(p, "_XORPOPC")) op->form = CT_MMA_XORPOPC;
    else if (ct_name_take(p, "_ANDPOPC")) op->form = CT_MMA_ANDPOPC;
    else ct_name_form(op, p);
}

/** @internal Reads the part after the types of wgmma and tcgen05.mma. */
CT_FN void ct_name_memory(ct_mma_op *op, const char **p)
{
    const int32_t kind = ct_mma_kind_of(op->arch, op->m);
    op->b_from = CT_MMA_SHARED;
    op->c_from = kind == CT_MMA_BLOCK ? CT_MMA_TENSOR_MEMORY : CT_MMA_REGISTERS;
    if (kind == CT_MMA_BLOCK && ct_name_take(p, "_2x1SM")) op->blocks = 2;
    if (ct_name_take(p, "_SS")) op->a_from = CT_MMA_SHARED;
    else if (ct_name_take(p, kind == CT_MMA_BLOCK ? "_TS" : "_RS")) op->a_from = op->c_from;
    else return;
    if (kind == CT_MMA_WARPGROUP) {
        if (ct_mma_only_tn(op->a) && !ct_name_take(p, "_TN")) return;
        if (ct_name_take(p, "_SATURATE")) op->form = CT_MMA_SATURATE;
    }
    op->kind = kind;
    if (kind == CT_MMA_BLOCK) ct_name_form(op, p);
}

/** @internal The instruction of one thread with that name. For any other name its kind is
 *  CT_MMA_NO_KIND. */
CT_FN ct_mma_op ct_mma_op_of_thread(const char *name)
{
    ct_mma_op op = CT_ZERO;
    const int fma = ct_name_take(&name, "universal_fma");
    const int dp4a = !fma && ct_name_take(&name, "SM61_DP4A");
    const int dp2a = !fma && !dp4a && ct_name_take(&name, "SM61_DP2A");
    if (*name || !(fma || dp4a || dp2a)) return op;
    op.kind = CT_MMA_THREAD;
    op.arch = fma ? 0 : 61;
    op.m = op.n = op.blocks = 1;
    op.k = fma ? 1 : dp4a ? 4 : 2;
    op.d = op.c = fma ? CT_MMA_F32 : CT_MMA_S32;
    op.a = fma ? CT_MMA_F32 : dp4a ? CT_MMA_S8 : CT_MMA_S16;
    op.b = fma ? CT_MMA_F32 : CT_MMA_S8;
    return op;
}

/**
 * The fields that a name writes. The kind is CT_MMA_NO_KIND if the name has another form. The
 * instruction may not exist; ct_mma_exists checks this.
 * Cost:     O(length of the name).
 * In C:     const ct_mma_op op = ct_mma_op_named("SM90_64x128x16_F32F16F16_SS");
 *           assert(op.kind == CT_MMA_WARPGROUP && op.n == 128 && op.a == CT_MMA_F16);
 *           assert(op.a_from == CT_MMA_SHARED && op.c_from == CT_MMA_REGISTERS);
 *           assert(ct_mma_op_named("SM90_64x128x16").kind == CT_MMA_NO_KIND);
 * Source:   CuTe, arch/mma_sm*.hpp.
 */
CT_FN ct_mma_op ct_mma_op_named(const char *name)
{
    const char *p = name;
    const ct_mma_op none = CT_ZERO;
    ct_mma_op op = ct_mma_op_of_thread(name);
    if (op.kind != CT_MMA_NO_KIND || !ct_name_take(&p, "SM")) return op;
    op.blocks = 1;
    op.arch = ct_name_number(&p);
    op.sparse = ct_name_take(&p, "_SPARSE");
    if (!ct_name_take(&p, "_")) return none;
    op.m = ct_name_number(&p);
    if (!ct_name_take(&p, "x")) return none;
    op.n = ct_name_number(&p);
    if (!ct_name_take(&p, "x")) return none;
    op.k = ct_name_number(&p);
    if (!ct_name_take(&p, "_")) return none;
    op.d = ct_name_type(&p);
    op.a = ct_name_type(&p);
    op.b = ct_name_type(&p);
    op.c = ct_name_type(&p);
    if (op.c != CT_MMA_NO_TYPE) {
        ct_name_warp(&op, &p);
    } else {
        op.c = op.d;
        ct_name_memory(&op, &p);
    }
    return *p ? none : op;
}

#endif
