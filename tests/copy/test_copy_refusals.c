/* What tiled copies, partitions and descriptors of tiles refuse: the status, the operation, the reason and
 * every number; and the largest and smallest that they still take. */
#include <cutlet/device/copy/access.h>
#include <cutlet/device/staged/copy_any.h>
#include "error_said.h"
#include "sweep.h"

#include <cutlet/copy/copy_choice.h>
#include <cutlet/copy/own_copy_atom.h>
#include <cutlet/copy/retile.h>
#include <cutlet/copy/tma.h>
#include <cutlet/mma/gemm_partition.h>
#include <cutlet/mma/own_mma_atom.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void check(const char *text, ct_error e, int status, int op, int why, int mode, int64_t a,
                  int64_t b)
{
    const char *const unsaid = error_unsaid(e);
    if (e.status == status && e.op == op && e.why == why && e.mode == mode && e.n[0] == a &&
        e.n[1] == b && e.n[2] == 0 && e.other == 0 && !unsaid)
        return;
    fail_msg("%s: status %d op %d why %d mode %d other %d numbers %lld %lld %lld, not said: %s",
             text, e.status, e.op, e.why, e.mode, e.other, (long long)e.n[0], (long long)e.n[1],
             (long long)e.n[2], unsaid ? unsaid : "none");
}

#define FAILS(value, ...) check(#value, ct_err(value), __VA_ARGS__)
/* A partition, an argument of which is refused. */
#define REFUSED(value, ...)                                                                        \
    check(#value, (value).err, CT_E_ARGUMENT, CT_OP_PARTITION_COPY, __VA_ARGS__)
#define TAKEN(value) assert_int_equal(ct_err(value).status, CT_OK)

static ct_error failed(void)
{
    return ct_make_error(CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11, 0);
}

TEST(atoms)
{
    static const int taken[] = {1, 2, 4, 8, 16, 32, 64, 128};
    int k = 0;
    for (int n = -1; n <= 257; ++n) {
        const int is = k < 8 && taken[k] == n;
        k += is;
        if (is) TAKEN(ct_copy_atom_auto(n));
        else
            FAILS(ct_copy_atom_auto(n), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM, CT_ATOM_AUTO,
                  n, n);
        const int tile = is && n >= 8 && n <= 64;
        if (tile) TAKEN(ct_copy_atom_tile(CT_ATOM_BULK_LOAD, n));
        else
            FAILS(ct_copy_atom_tile(CT_ATOM_BULK_LOAD, n), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
                  CT_WHY_ATOM, CT_ATOM_BULK_LOAD, n, n);
        const int universal = n == 8 || n == 16 || n == 32 || n == 64 || n == 128 || n == 256;
        if (universal) TAKEN(ct_copy_atom_universal(n, 8));
        else
            FAILS(ct_copy_atom_universal(n, 8), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
                  CT_ATOM_UNIVERSAL, n, 8);
        const int ca = n == 32 || n == 64 || n == 128;
        if (ca) TAKEN(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, n, 16));
        else
            FAILS(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, n, 16), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
                  CT_WHY_ATOM, CT_ATOM_CP_ASYNC_CA, n, 16);
        if (n == 128) TAKEN(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, n, 16));
        else
            FAILS(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, n, 16), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
                  CT_WHY_ATOM, CT_ATOM_CP_ASYNC_CG, n, 16);
        if (n == 1 || n == 2 || n == 4) TAKEN(ct_copy_atom_matrix(CT_ATOM_STMATRIX, n, 16));
        else
            FAILS(ct_copy_atom_matrix(CT_ATOM_STMATRIX, n, 16), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
                  CT_WHY_ATOM, CT_ATOM_STMATRIX, n, 16);
    }
    for (int kind = CT_ATOM_UNIVERSAL; kind <= CT_ATOM_BULK_MAX + 1; ++kind) {
        const int tile = kind >= CT_ATOM_BULK_LOAD && kind <= CT_ATOM_TMA_MAX;
        const int reduces = kind >= CT_ATOM_BULK_ADD && kind <= CT_ATOM_BULK_MAX;
        const int matrix = kind >= CT_ATOM_LDMATRIX && kind <= CT_ATOM_STMATRIX_TRANS;
        assert_int_equal(ct_copy_atom_tile(kind, 16).err.status == CT_OK, tile);
        assert_int_equal(ct_copy_atom_matrix(kind, 4, 16).err.status == CT_OK, matrix);
        assert_int_equal(ct_atom_is_matrix(kind), matrix);
        assert_int_equal(ct_atom_is_tile(kind), tile || reduces);
        assert_int_equal(ct_atom_is_reduction(kind), reduces);
        assert_int_equal(ct_atom_is_bulk(kind),
                         kind == CT_ATOM_BULK_LOAD || kind == CT_ATOM_BULK_STORE || reduces);
        if (reduces)
            FAILS(ct_copy_atom_tile(kind, 16), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM_ELEM, 0,
                  kind, -1);
        else
            FAILS(ct_copy_atom_reduction(kind, CT_ELEM_F16), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
                  CT_WHY_ATOM, 0, 16, 16);
        const int cp_async = kind == CT_ATOM_CP_ASYNC_CA || kind == CT_ATOM_CP_ASYNC_CG;
        assert_int_equal(ct_copy_atom_cp_async(kind, 128, 16).err.status == CT_OK, cp_async);
    }
    TAKEN(ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 1, 32));
    TAKEN(ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 1, 8));
    FAILS(ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 1, 64), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
          CT_ATOM_LDMATRIX, 1, 64);
    FAILS(ct_copy_atom_matrix(CT_ATOM_STMATRIX_TRANS, 2, 8), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
          CT_WHY_ATOM, CT_ATOM_STMATRIX_TRANS, 2, 8);
    FAILS(ct_copy_atom_matrix(CT_ATOM_LDMATRIX_TRANS, 2, 32), CT_E_ARGUMENT, CT_OP_COPY_ATOM,
          CT_WHY_ATOM, CT_ATOM_LDMATRIX_TRANS, 2, 32);
    ct_copy_atom bad = ct_copy_atom_universal(24, 8);
    assert_int_equal(ct_atom_vector(bad), CT_INVALID);
}

/* An atom of layouts is data: it makes tiled copies, and no partition of a kernel. */
TEST(own_atoms)
{
    const ct_layout src = L_("(4,2):(2,1)"), dst = L_("(4,2):(1,4)");
    const ct_copy_atom own = ct_make_copy_atom(src, dst, dst, 16);
    TAKEN(own);
    assert_int_equal(own.kind, CT_ATOM_OWN);
    assert_int_equal(ct_atom_threads(own), 4);
    const ct_tiled_copy t = ct_make_tiled_copy(own, ct_layout1(8, 1), ct_layout1(2, 1));
    assert_int_equal(t.atom.err.status, CT_OK);
    const ct_partition p = ct_make_partition(t, T("16"), ct_in_registers(), ct_in_global(1));
    FAILS(p, CT_E_ARGUMENT, CT_OP_PARTITION_COPY, CT_WHY_ATOM_OWN, 0, 0, 0);
    const ct_layout c = L_("(8,2):(1,8)"), ab = L_("(8,1):(1,0)");
    const ct_mma_atom mma = ct_mma_atom_of_layouts(T("(4,4,2)"), ab, ab, c, ct_layout1(8, 1));
    const ct_tiled_mma tiled = ct_make_tiled_mma(mma, ct_layout1(1, 0), ct_tiler0());
    assert_int_equal(tiled.atom.err.status, CT_OK);
    const ct_gemm_partition g =
        ct_make_gemm(tiled, T("(4,4,2)"), ct_in_registers(), ct_in_registers());
    check("gemm", g.err, CT_E_ARGUMENT, CT_OP_GEMM, CT_WHY_ATOM_OWN, 0, 0, 0);
    /* an operand that failed is passed on */
    const ct_layout bad = ct_layout_fail(failed()), thr = ct_layout1(8, 1);
    const ct_tuple mnk = T("(4,4,2)"), none = ct_tuple_fail(failed());
    FAILS(ct_make_copy_atom(bad, dst, dst, 16), CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11, 0);
    FAILS(ct_make_copy_atom(src, dst, dst, 129), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
          CT_ATOM_OWN, 0, 129);
    FAILS(ct_mma_atom_of_layouts(none, ab, ab, c, thr), CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11,
          0);
    FAILS(ct_mma_atom_of_layouts(mnk, ab, bad, c, thr), CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11,
          0);
    FAILS(ct_mma_atom_of_layouts(mnk, ab, ab, c, bad), CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11,
          0);
}

/* The types of cp.reduce.async.bulk: 1 of sums, 2 of minima and maxima. */
TEST(reductions)
{
    static const int taken[CT_ELEM_COUNT] = {
        [CT_ELEM_U32] = 3,  [CT_ELEM_S32] = 3, [CT_ELEM_U64] = 3, [CT_ELEM_F16] = 3,
        [CT_ELEM_BF16] = 3, [CT_ELEM_F32] = 1, [CT_ELEM_F64] = 1, [CT_ELEM_S64] = 2,
    };
    static const int kinds[] = {CT_ATOM_BULK_ADD, CT_ATOM_BULK_MIN, CT_ATOM_BULK_MAX};
    const ct_memory g = ct_in_global(1), rows = ct_in_shared_plain(L_("(8,32):(32,1)"));
    for (int k = 0; k < 3; ++k)
        for (int elem = -1; elem <= CT_ELEM_COUNT; ++elem) {
            const ct_copy_atom a = ct_copy_atom_reduction(kinds[k], elem);
            if (elem < 0 || elem == CT_ELEM_COUNT || !(taken[elem] & (k == 0 ? 1 : 2))) {
                FAILS(a, CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM_ELEM, 0, kinds[k], elem);
                continue;
            }
            TAKEN(a);
            assert_int_equal(a.kind, kinds[k]);
            assert_int_equal(a.elem, elem);
            assert_int_equal(a.value_bits, 8 * ct_elem_bytes(elem));
            const ct_tiled_copy store = ct_make_bulk_copy(a);
            const ct_partition p = ct_make_partition(store, T("(8,32)"), rows, g);
            TAKEN(p);
            assert_int_equal(p.elem, elem);
            assert_int_equal(p.atom, kinds[k]);
            assert_int_equal(p.dst.accesses, 8);
            REFUSED(ct_make_partition(store, T("(8,32)"), g, rows), CT_WHY_ATOM, kinds[k], a.bits,
                    a.bits);
        }
}

/* 32 threads, 4 x 8, one element each, or eight along mode 1. */
static ct_tiled_copy scalar(void)
{
    return ct_make_tiled_copy(ct_copy_atom_universal(16, 16), L_("(4,8):(8,1)"), L_("(1,1):(1,1)"));
}

static ct_tiled_copy vectors(void)
{
    return ct_make_tiled_copy(ct_copy_atom_universal(128, 16), L_("(8,4):(4,1)"),
                              L_("(1,8):(1,1)"));
}

TEST(partitions)
{
    const ct_memory g0 = ct_in_global(0), g1 = ct_in_global(1),
                    rows = ct_in_shared_plain(L_("(8,32):(32,1)"));
    const ct_tiled_copy t = scalar(), v = vectors();
    ct_tiled_copy bad = t;
    bad.atom.err = failed();
    FAILS(ct_make_partition(bad, T("(8,8)"), g0, g1), CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11,
          0);
    FAILS(ct_make_partition(t, ct_tuple_fail(failed()), g0, g1), CT_E_DOMAIN, CT_OP_MODE,
          CT_WHY_MODE, 1, 11, 0);
    REFUSED(ct_make_partition(t, T("(8,8,1,1,1,1,1,1,1)"), g0, g0), CT_WHY_RANK, 0, CT_AXES, 9);
    TAKEN(ct_make_partition(t, T("(8,8,1,1,1,1,1,1)"), g0, g0));
    REFUSED(ct_make_partition(t, T("(64)"), g0, g0), CT_WHY_RANK_MORE, 0, 2, 1);
    REFUSED(ct_make_partition(t, T("(8,0)"), g0, g0), CT_WHY_SHAPE, 1, 0, 0);
    REFUSED(ct_make_partition(t, T("(-8,8)"), g0, g0), CT_WHY_SHAPE, 0, -8, 0);
    REFUSED(ct_make_partition(t, T("(8,12)"), g0, g0), CT_WHY_SIZE_DIVIDES, 1, 12, 8);
    REFUSED(ct_make_partition(t, T("(6,8)"), g0, g0), CT_WHY_SIZE_DIVIDES, 0, 6, 4);
    TAKEN(ct_make_partition(v, T("(8,32)"), g1, rows));
    REFUSED(ct_make_partition(v, T("(8,32)"), g1, ct_in_registers_by(L_("4:1"))), CT_WHY_SIZES, 0,
            4, 8);
    REFUSED(ct_make_partition(v, T("(8,32)"), g1, ct_in_registers_by(L_("8:1@0"))),
            CT_WHY_NOT_INTEGER, 0, 0, 0);
    REFUSED(ct_make_partition(v, T("(8,32)"), g1, ct_in_registers_by(L_("8:2"))), CT_WHY_REGISTERS,
            0, 8, 8);
    REFUSED(ct_make_partition(v, T("(8,32)"), g1, ct_in_registers_by(L_("8:-1"))), CT_WHY_REGISTERS,
            0, -1, 8);
    TAKEN(ct_make_partition(v, T("(8,32)"), g1, ct_in_registers_by(L_("(2,4):(4,1)"))));
    TAKEN(ct_make_partition(v, T("(8,32)"), ct_in_registers_by(L_("(2,4):(4,1)")), g1));
    FAILS(ct_make_partition(v, T("(8,32)"), g1, ct_in_registers_by(ct_layout_fail(failed()))),
          CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11, 0);
    FAILS(ct_make_partition(v, T("(8,32)"), ct_in_shared(ct_tensor_fail(failed())), g1),
          CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11, 0);
}

static ct_error in_shared(ct_tiled_copy t, ct_swizzle s, int64_t first, const char *layout,
                          int is_src)
{
    const ct_tensor by_hand = {s, ct_int(first), L_(layout)};
    const ct_memory g = ct_in_global(1), m = ct_in_shared(by_hand);
    return ct_make_partition(t, T("(8,32)"), is_src ? m : g, is_src ? g : m).err;
}

/* A partition counts in 32 bits: tiles, threads, and offsets in shared memory, in bits. */
TEST(numbers)
{
    const ct_tiled_copy t =
        ct_make_tiled_copy(ct_copy_atom_auto(16), L_("(4,8):(8,1)"), L_("(1,1):(1,1)"));
    const ct_swizzle none = ct_swizzle_none();
    const ct_tiled_copy wide =
        ct_make_tiled_copy(ct_copy_atom_auto(16), L_("(65536,32768):(32768,1)"), L_("(1,1):(1,1)"));
    TAKEN(wide);
    /* 2^31 - 1 bits are 134217727 elements */
    static const struct {
        const char *name, *layout;
        int64_t first;
        int base, fits;
    } row[] = {
        {"the last stride that fits", "(8,32):(19173956,1)", 0, 0, 1},
        {"one more", "(8,32):(19173957,1)", 0, 0, 0},
        {"2^31 bytes", "(8,32):(536870912,1)", 0, 0, 0},
        {"a stage past it", "(8,32,2):(32,1,134217728)", 0, 0, 0},
        {"the last offset", "(8,32):(32,1)", 134217727 - 256, 0, 1},
        {"one more", "(8,32):(32,1)", 134217727 - 255, 0, 0},
        {"the lowest offset", "(8,32):(32,1)", -134217727, 0, 1},
        {"one less", "(8,32):(32,1)", -134217728, 0, 0},
        {"a swizzle of bits that offsets may have", "(8,32):(32,1)", 0, 20, 1},
        {"and of higher ones", "(8,32):(32,1)", 0, 25, 0},
    };
    for (size_t i = 0; i < LENGTH(row); ++i)
        for (int is_src = 0; is_src < 2; ++is_src) {
            const ct_swizzle s = row[i].base ? ct_make_swizzle(1, row[i].base, 1) : none;
            const ct_error e = in_shared(t, s, row[i].first, row[i].layout, is_src);
            if (row[i].fits) check(row[i].name, e, CT_OK, CT_OP_NONE, CT_WHY_NONE, 0, 0, 0);
            else
                check(row[i].name, e, CT_E_OVERFLOW, CT_OP_PARTITION_COPY, CT_WHY_OVERFLOW, !is_src,
                      0, 0);
        }
}

/* Elements of less than a byte are moved by whole bytes, in one order. */
TEST(small_elements)
{
    const ct_memory rows = ct_in_shared_plain(L_("(8,32):(32,1)")),
                    columns = ct_in_shared_plain(L_("(8,32):(1,8)"));
    const ct_tiled_copy one =
        ct_make_tiled_copy(ct_copy_atom_auto(4), L_("(8,4):(4,1)"), L_("(1,1):(1,1)"));
    const ct_tiled_copy two =
        ct_make_tiled_copy(ct_copy_atom_auto(4), L_("(8,4):(4,1)"), L_("(1,2):(1,1)"));
    REFUSED(ct_make_partition(one, T("(8,32)"), ct_in_global(1), rows), CT_WHY_CONTIGUOUS, 0, 2, 1);
    TAKEN(ct_make_partition(two, T("(8,32)"), ct_in_global(1), rows));
    REFUSED(ct_make_partition(two, T("(8,32)"), ct_in_global(1), columns), CT_WHY_CONTIGUOUS, 1, 2,
            1);
    REFUSED(ct_make_partition(two, T("(8,32)"), ct_in_global(0), rows), CT_WHY_CONTIGUOUS, 0, 2, 1);
}

/* Bulk copies: one side global, the other shared, rows of 16 bytes. */
TEST(bulk)
{
    const ct_tiled_copy load = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_BULK_LOAD, 16));
    const ct_tiled_copy store = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_BULK_STORE, 16));
    const ct_memory g = ct_in_global(1), rows = ct_in_shared_plain(L_("(8,32):(32,1)"));
    const ct_tuple tile = T("(8,32)");
    const ct_partition p = ct_make_partition(load, tile, g, rows),
                       q = ct_make_partition(store, tile, rows, g);
    TAKEN(p);
    TAKEN(q);
    for (int i = 0; i < 8; ++i) {
        assert_int_equal(p.dst.add[i], i * 64);
        assert_int_equal(q.src.add[i], i * 64);
        assert_int_equal(ct_access_coord(&p.src, i, 0), i);
        assert_int_equal(ct_access_coord(&p.src, i, 1), 0);
    }
    assert_int_equal(p.src.accesses, 8);
    assert_int_equal(p.dst.accesses, 8);
    assert_int_equal(p.src.width, 32);
    assert_int_equal(p.dst.width, 32);
    assert_int_equal(p.threads, 1);
    REFUSED(ct_make_partition(load, tile, rows, g), CT_WHY_ATOM, CT_ATOM_BULK_LOAD, 16, 16);
    REFUSED(ct_make_partition(store, tile, g, rows), CT_WHY_ATOM, CT_ATOM_BULK_STORE, 16, 16);
    REFUSED(ct_make_partition(load, tile, g, g), CT_WHY_ATOM, CT_ATOM_BULK_LOAD, 16, 16);
    REFUSED(ct_make_partition(load, tile, ct_in_global(2), rows), CT_WHY_ATOM, CT_ATOM_BULK_LOAD,
            16, 16);
    REFUSED(ct_make_partition(load, tile, ct_in_global(-1), rows), CT_WHY_ATOM, CT_ATOM_BULK_LOAD,
            16, 16);
    const ct_memory columns = ct_in_shared_plain(L_("(8,32):(1,8)"));
    REFUSED(ct_make_partition(load, tile, g, columns), CT_WHY_CONTIGUOUS, 1, 8, 1);
    REFUSED(ct_make_partition(store, tile, columns, g), CT_WHY_CONTIGUOUS, 0, 8, 1);
    REFUSED(ct_make_partition(load, T("(8,4)"), g, ct_in_shared_plain(L_("(8,4):(4,1)"))),
            CT_WHY_CONTIGUOUS, 1, 8, 4);
    REFUSED(ct_make_partition(
                load, tile, g,
                ct_in_shared(ct_make_swizzled(ct_make_swizzle(2, 3, 3), 0, L_("(8,32):(32,1)")))),
            CT_WHY_CONTIGUOUS, 1, 8, 32);
    TAKEN(ct_make_partition(load, T("(64,32)"), g,
                            ct_in_shared_plain(ct_make_row_major(T("(64,32)")))));
    const ct_error range = ct_make_partition(load, tile, g, ct_in_shared_plain(L_("256:1"))).err;
    assert_true(range.op == CT_OP_TAKE && range.why == CT_WHY_RANGE && range.n[1] == 2 &&
                range.n[2] == 1);
}

TEST(choice)
{
    const ct_memory g = ct_in_global(1), rows = ct_in_shared_plain(L_("(8,32):(32,1)"));
    const ct_tuple tile = T("(8,32)");
    FAILS(ct_choose_copy(24, 32, tile, g, rows), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
          CT_ATOM_AUTO, 24, 24);
    FAILS(ct_choose_copy(16, 0, tile, g, rows), CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_THREADS, 0,
          0, 1);
    TAKEN(ct_choose_copy(16, 1, tile, g, rows));
    REFUSED(ct_choose_copy(16, 32, T("(8,8,1,1,1,1,1,1,1)"), g, g).atom, CT_WHY_RANK, 0, CT_AXES,
            9);
    REFUSED(ct_choose_copy(16, 32, T("(8,0)"), g, rows).atom, CT_WHY_SHAPE, 1, 0, 0);
    REFUSED(ct_choose_copy(16, 32, T("(8,2147483648)"), g, rows).atom, CT_WHY_SHAPE, 1, 2147483648,
            0);
    FAILS(ct_choose_copy(16, 32, T("()"), g, rows), CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_THREADS,
          0, 32, 1);
    FAILS(ct_choose_copy(0, 32, tile, g, rows), CT_E_ARGUMENT, CT_OP_COPY_ATOM, CT_WHY_ATOM,
          CT_ATOM_AUTO, 0, 0);
    FAILS(ct_choose_copy(16, 512, tile, g, rows), CT_E_ARGUMENT, CT_OP_TILED_COPY,
          CT_WHY_TILE_THREADS, 0, 512, 2);
    /* a nested tile: its modes are divided, and its axes are leaves */
    const ct_tuple nested = T("((4,2),32)");
    TAKEN(ct_choose_partition(16, 32, nested, ct_in_global(2), ct_in_global(2)));
    assert_true(ct_layout_equal(ct_choose_copy(16, 32, nested, ct_in_global(2), ct_in_global(2)).tv,
                                ct_choose_copy(16, 32, tile, g, g).tv));
    const ct_tiled_copy a = ct_choose_copy(16, 32, tile, g, rows);
    assert_int_equal(a.atom.kind, CT_ATOM_CP_ASYNC_CG);
    assert_int_equal(a.atom.bits, 128);
    const ct_tiled_copy b =
        ct_choose_copy(16, 64, tile, g, rows); /* 4 elements, 8 bytes for each thread */
    assert_int_equal(b.atom.kind, CT_ATOM_CP_ASYNC_CA);
    assert_int_equal(b.atom.bits, 64);
    const ct_tiled_copy c = ct_choose_copy(16, 256, tile, g, rows); /* 2 bytes: no cp.async */
    assert_int_equal(c.atom.kind, CT_ATOM_AUTO);
    assert_int_equal(ct_choose_copy(16, 32, tile, rows, g).atom.kind, CT_ATOM_AUTO);
    assert_int_equal(ct_choose_copy(16, 32, tile, ct_in_global(0), rows).atom.kind, CT_ATOM_AUTO);
}

TEST(retiles)
{
    const ct_tiled_copy t =
        ct_make_tiled_copy(ct_copy_atom_universal(32, 16), L_("(4,8):(8,1)"), L_("(1,2):(1,1)"));
    ct_tiled_copy bad = t;
    bad.atom.err = failed();
    FAILS(ct_retile(bad, L_("2:1")), CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11, 0);
    FAILS(ct_retile(t, ct_layout_fail(failed())), CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11, 0);
    FAILS(ct_by_runs(ct_layout_fail(failed()), 4), CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11, 0);
    FAILS(ct_by_runs(L_("(2,2):(1,6)"), 4), CT_E_ARGUMENT, CT_OP_RETILE, CT_WHY_UPCAST_STRIDE, 1, 6,
          4);
    FAILS(ct_by_runs(L_("(4,2):(3,1)"), 4), CT_E_ARGUMENT, CT_OP_RETILE, CT_WHY_UPCAST_STRIDE, 0, 3,
          4);
    FAILS(ct_by_runs(L_("(3,2):(2,8)"), 4), CT_E_ARGUMENT, CT_OP_RETILE, CT_WHY_UPCAST_STRIDE, 0, 2,
          4);
    assert_true(ct_layout_equal(ct_by_runs(L_("(4,2):(1,4)"), 4), L_("(1,2):(0,1)")));
    assert_true(ct_layout_equal(ct_by_runs(L_("(4,3):(2,8)"), 4), L_("(2,3):(1,2)")));
    assert_true(ct_layout_equal(ct_by_runs(L_("(2,3):(2,4)"), 4), L_("(1,3):(0,1)")));
    assert_true(ct_layout_equal(ct_by_runs(L_("(8,3):(1,8)"), 4), L_("(2,3):(1,2)")));
}

/* Rule, mode and both numbers of the first rule that a descriptor breaks. */
static void breaks(const char *what, ct_tma_desc d, int rule, int m, int64_t a, int64_t b)
{
    if (d.rule == rule && d.err.mode == m && d.err.n[0] == a && d.err.n[1] == b &&
        d.err.n[2] == 0 && d.err.other == 0 &&
        (rule == CT_TMA_OK ? d.err.status == CT_OK : d.err.status == CT_E_ARGUMENT))
        return;
    fail_msg("%s: rule %d mode %d numbers %lld %lld", what, d.rule, d.err.mode,
             (long long)d.err.n[0], (long long)d.err.n[1]);
}

static ct_tma_desc plain(void)
{
    return ct_make_tma_desc(L_("(64,128):(128,1)"), T("(16,64)"), CT_ELEM_F16, CT_TMA_SWIZZLE_128B,
                            256);
}

/* The descriptor of plain() with one number changed. */
#define BREAKS(field, number, ...)                                                                 \
    do {                                                                                           \
        ct_tma_desc changed = plain();                                                             \
        changed.field = (number);                                                                  \
        breaks(#field " = " #number, ct_tma_check(changed), __VA_ARGS__);                          \
    } while (0)

TEST(descriptors)
{
    const ct_tma_desc d = plain();
    breaks("plain", d, CT_TMA_OK, 0, 0, 0);
    assert_int_equal(d.rank, 2);
    assert_int_equal(d.mode[0], 1);
    assert_int_equal(d.stride[1], 256);
    for (int i = 2; i < CT_TMA_RANK; ++i)
        assert_true(d.extent[i] == 1 && d.stride[i] == 1 && d.box[i] == 1 && d.step[i] == 1);
    BREAKS(rank, 0, CT_TMA_RULE_RANK, 0, 0, 0);
    BREAKS(rank, 6, CT_TMA_RULE_RANK, 0, 6, 0);
    BREAKS(elem, -1, CT_TMA_RULE_ELEM, 0, -1, 0);
    BREAKS(elem, CT_ELEM_COUNT, CT_TMA_RULE_ELEM, 0, CT_ELEM_COUNT, 0);
    BREAKS(swizzle, -1, CT_TMA_RULE_SWIZZLE, 0, -1, 0);
    BREAKS(swizzle, CT_TMA_SWIZZLE_COUNT, CT_TMA_RULE_SWIZZLE, 0, CT_TMA_SWIZZLE_COUNT, 0);
    BREAKS(swizzle, CT_TMA_SWIZZLE_COUNT - 1, CT_TMA_OK, 0, 0, 0);
    BREAKS(interleave, 1, CT_TMA_RULE_INTERLEAVE, 0, 1, 0);
    BREAKS(l2, -1, CT_TMA_RULE_L2, 0, -1, 0);
    BREAKS(l2, CT_TMA_L2_256, CT_TMA_OK, 0, 0, 0);
    BREAKS(l2, CT_TMA_L2_256 + 1, CT_TMA_RULE_L2, 0, CT_TMA_L2_256 + 1, 0);
    BREAKS(fill, CT_TMA_FILL_NAN, CT_TMA_OK, 0, 0, 0);
    BREAKS(fill, 7, CT_TMA_RULE_FILL, 0, 7, 0);
    BREAKS(address, 8, CT_TMA_RULE_ADDRESS, 0, 8, 0);
    BREAKS(extent[0], 0, CT_TMA_RULE_EXTENT, 0, 0, 0);
    BREAKS(extent[1], ((int64_t)1 << 32) + 1, CT_TMA_RULE_EXTENT, 1, ((int64_t)1 << 32) + 1, 0);
    BREAKS(extent[1], (int64_t)1 << 32, CT_TMA_OK, 0, 0, 0);
    BREAKS(extent[1], 1, CT_TMA_OK, 0, 0, 0);
    BREAKS(stride[1], -16, CT_TMA_RULE_STRIDE_NEGATIVE, 1, -16, 0);
    BREAKS(stride[1], 0, CT_TMA_OK, 0, 0, 0);
    BREAKS(stride[1], 24, CT_TMA_RULE_STRIDE_MULTIPLE, 1, 24, 0);
    BREAKS(stride[1], (int64_t)1 << 40, CT_TMA_RULE_STRIDE_LARGE, 1, (int64_t)1 << 40, 0);
    BREAKS(stride[1], ((int64_t)1 << 40) - 16, CT_TMA_OK, 0, 0, 0);
    BREAKS(box[1], 0, CT_TMA_RULE_BOX, 1, 0, 0);
    BREAKS(box[1], 257, CT_TMA_RULE_BOX, 1, 257, 0);
    BREAKS(box[1], 256, CT_TMA_OK, 0, 0, 0);
    BREAKS(box[1], 1, CT_TMA_OK, 0, 0, 0);
    BREAKS(box[0], 0, CT_TMA_RULE_BOX, 0, 0, 0);
    BREAKS(step[1], 0, CT_TMA_RULE_STEP, 1, 0, 0);
    BREAKS(step[1], 9, CT_TMA_RULE_STEP, 1, 9, 0);
    BREAKS(step[1], 8, CT_TMA_OK, 0, 0, 0);
    BREAKS(box[0], 4, CT_TMA_RULE_BOX_MULTIPLE, 0, 8, 0);
    BREAKS(box[0], 72, CT_TMA_RULE_BOX_SWIZZLE, 0, 144, 128);
    ct_tma_desc big = ct_make_tma_desc(L_("(256,256,4):(256,1,65536)"), T("(256,256,2)"),
                                       CT_ELEM_F16, CT_TMA_SWIZZLE_NONE, 0);
    breaks("tile", big, CT_TMA_RULE_TILE, 0, 262144, CT_TMA_TILE_BYTES);
    ct_tma_desc integer = plain();
    integer.elem = CT_ELEM_U16;
    integer.fill = CT_TMA_FILL_NAN;
    breaks("NaN of integers", ct_tma_check(integer), CT_TMA_RULE_FILL, 0, CT_TMA_FILL_NAN, 0);
}

TEST(layouts_of_descriptors)
{
    const ct_layout L = L_("(64,128):(128,1)"), bad = ct_layout_fail(failed());
    const int f16 = CT_ELEM_F16, no = CT_TMA_SWIZZLE_NONE;
    ct_tma_desc d = ct_make_tma_desc(bad, T("(8,8)"), f16, no, 0);
    assert_true(d.rule == CT_TMA_RULE_LAYOUT && d.err.status == CT_E_DOMAIN && d.err.n[0] == 11);
    FAILS(ct_tma_coords(&d), CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11, 0);
    FAILS(ct_tma_shared(&d), CT_E_DOMAIN, CT_OP_MODE, CT_WHY_MODE, 1, 11, 0);
    d = ct_make_tma_desc(L, ct_tuple_fail(failed()), f16, no, 0);
    assert_true(d.rule == CT_TMA_RULE_LAYOUT && d.err.status == CT_E_DOMAIN && d.err.n[0] == 11);
    breaks("again",
           ct_tma_check(ct_make_tma_desc(L_("(2,2,2,2,2,2)"), T("(1,1,1,1,1,1)"), f16, no, 0)),
           CT_TMA_RULE_RANK, 0, 6, 0);
    breaks("rank 0", ct_make_tma_desc(L_("():()"), T("()"), f16, no, 0), CT_TMA_RULE_RANK, 0, 0, 0);
    breaks("box rank", ct_make_tma_desc(L, T("(8,8,8)"), f16, no, 0), CT_TMA_RULE_BOX_RANK, 0, 3,
           2);
    breaks("box nests", ct_make_tma_desc(L, T("(8,(8,8))"), f16, no, 0), CT_TMA_RULE_BOX_RANK, 0, 2,
           2);
    breaks("box short", ct_make_tma_desc(L, T("(8)"), f16, no, 0), CT_TMA_RULE_BOX_RANK, 0, 1, 2);
    breaks("type", ct_make_tma_desc(L, T("(8,8)"), 99, no, 0), CT_TMA_RULE_ELEM, 0, 99, 0);
    breaks("basis", ct_make_tma_desc(L_("(64,128):(1,1@0)"), T("(8,8)"), f16, no, 0),
           CT_TMA_RULE_INTEGER, 1, 0, 0);
    breaks("mode", ct_make_tma_desc(L_("(64,(4,4)):(1,(64,512))"), T("(8,8)"), f16, no, 0),
           CT_TMA_RULE_MODE, 1, 0, 0);
    breaks("unit", ct_make_tma_desc(L_("(64,8):(2,128)"), T("(8,8)"), f16, no, 0), CT_TMA_RULE_UNIT,
           0, 0, 0);
    breaks("far", ct_make_tma_desc(L_("(64,2):(1,4611686018427387904)"), T("(8,1)"), f16, no, 0),
           CT_TMA_RULE_STRIDE_LARGE, 1, INT64_MAX - 15, 0);
    d = ct_make_tma_desc(L_("(64,1):(1,3)"), T("(8,1)"), f16, no,
                         0); /* of one element: its stride is free */
    breaks("one", d, CT_TMA_OK, 0, 0, 0);
    assert_int_equal(d.stride[1], 16);
    /* Which mode is contiguous: of several elements first, then any of stride 1, then one of one element. */
    assert_int_equal(ct_tma_unit_mode(L_("(1,8):(1,1)")), 1);
    assert_int_equal(ct_tma_unit_mode(L_("(8,1):(2,1)")), 1);
    assert_int_equal(ct_tma_unit_mode(L_("(8,1):(2,5)")), 1);
    assert_int_equal(ct_tma_unit_mode(L_("(1,1):(7,1)")), 1);
    assert_int_equal(ct_tma_unit_mode(L_("(8,8):(1,1)")), 0);
    assert_int_equal(ct_tma_unit_mode(L_("(8,8):(2,16)")), -1);
}

/* The numbers of element types and swizzle modes, and those outside. */
TEST(modes)
{
    static const int bytes[CT_ELEM_COUNT] = {
        [CT_ELEM_U8] = 1,  [CT_ELEM_U16] = 2, [CT_ELEM_F16] = 2, [CT_ELEM_BF16] = 2,
        [CT_ELEM_U64] = 8, [CT_ELEM_S64] = 8, [CT_ELEM_F64] = 8};
    for (int e = -1; e <= CT_ELEM_COUNT; ++e) {
        const int known = e >= 0 && e < CT_ELEM_COUNT;
        assert_int_equal(ct_elem_bytes(e), !known ? 0 : bytes[e] ? bytes[e] : 4);
        assert_int_equal(ct_elem_is_float(e), known && e >= CT_ELEM_F16);
    }
    static const int spans[] = {0, 0, 32, 64, 128, 128, 128, 128, 0};
    static const int aligned[] = {1024, 128, 256, 512, 1024, 512, 1024, 1024, 1024};
    for (int s = -1; s <= CT_TMA_SWIZZLE_COUNT; ++s) {
        assert_int_equal(ct_tma_span(s), spans[s + 1]);
        assert_int_equal(ct_tma_alignment(s), aligned[s + 1]);
        const ct_swizzle sw = ct_tma_swizzle(s);
        const int known = s >= 0 && s < CT_TMA_SWIZZLE_COUNT;
        const int flip = s == CT_TMA_SWIZZLE_128B_ATOM_32B_FLIP_8B;
        assert_int_equal(sw.err.status, !known ? CT_E_ARGUMENT : flip ? CT_E_UNDECIDED : CT_OK);
        if (sw.err.status) assert_int_equal(sw.err.op, CT_OP_SWIZZLE);
        if (sw.err.status) assert_null(error_unsaid(sw.err));
    }
}

/* Whole sentences of what only C calls with such operands. */
TEST(sentences)
{
    const ct_memory g = ct_in_global(1), rows = ct_in_shared_plain(L_("(8,32):(32,1)")),
                    crooked = ct_in_shared_plain(L_("(8,32):(36,1)"));
    const ct_tiled_copy t = scalar(), v = vectors(),
                        load = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_BULK_LOAD, 16)),
                        store = ct_make_bulk_copy(ct_copy_atom_tile(CT_ATOM_BULK_STORE, 16)),
                        wide = ct_make_tiled_copy(ct_copy_atom_auto(16),
                                                  L_("(65536,32768):(32768,1)"), L_("(1,1):(1,1)"));
    const struct {
        ct_error e;
        int status;
        const char *sentence;
    } row[] = {
        {ct_make_any_copy(24, 8, 32).err, CT_E_ARGUMENT,
         "inner_partition: there is no such atom of 24 (bits, or matrices) with values of 24 bits"},
        {ct_copy_atom_reduction(CT_ATOM_BULK_ADD, CT_ELEM_S64).err, CT_E_ARGUMENT,
         "copy_atom: atom 16, a bulk reduction, takes no elements of type 5 (CT_ELEM_...): "
         "sums are of U32, S32, U64, F16, BF16, F32 and F64, minima and maxima of U32, S32, "
         "U64, S64, F16 and BF16; ct_copy_atom_reduction takes the type"},
        {ct_copy_atom_reduction(CT_ATOM_UNIVERSAL, CT_ELEM_F16).err, CT_E_ARGUMENT,
         "copy_atom: the function makes no atoms of this kind (16 bits, or matrices, with "
         "values of 16 bits)"},
        {ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, 24, 16).err, CT_E_ARGUMENT,
         "copy_atom: cp.async.ca moves 32, 64 or 128 bits, not 24 (values of 16 bits)"},
        {ct_make_error(CT_E_ARGUMENT, CT_OP_GEMM, CT_WHY_ATOM_OWN, 0, 0, 0), CT_E_ARGUMENT,
         "product of tiles: the atom is made of layouts, and no instruction is known that a kernel "
         "could execute"},
        {ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CG, 64, 16).err, CT_E_ARGUMENT,
         "copy_atom: cp.async.cg moves 128 bits, not 64 (values of 16 bits)"},
        {ct_make_partition(t, T("(4,2147483648)"), g, g).err, CT_E_ARGUMENT,
         "partition_src: axis 1 of the tile has 2147483648 elements; 1 to 2147483647 are possible"},
        {ct_make_partition(wide, T("(65536,32768)"), g, g).err, CT_E_ARGUMENT,
         "partition_src: the tiled copy has 2147483648 threads; at most 2147483647 are possible"},
        {ct_make_partition(v, T("(8,32)"), g, ct_in_registers_by(L_("(2,4):(1,1)"))).err,
         CT_E_ARGUMENT,
         "partition_src: the layout of the registers does not give each of 8 values an "
         "element of its own: element 1"},
        {ct_make_partition(load, T("(65,32)"), g,
                           ct_in_shared_plain(ct_make_row_major(T("(65,32)"))))
             .err,
         CT_E_CAPACITY,
         "partition_src: a thread has 65 accesses, values or words of registers, and a "
         "partition holds 64"},
        {ct_make_partition(load, T("(8,32)"), g, crooked).err, CT_E_ARGUMENT,
         "partition_src: the destination has a row at element 36, not at a multiple of 8 elements"},
        {ct_make_partition(store, T("(8,32)"), crooked, g).err, CT_E_ARGUMENT,
         "partition_src: the source has a row at element 36, not at a multiple of 8 elements"},
        {in_shared(t, ct_swizzle_none(), 0, "(8,32):(536870912,1)", 1), CT_E_OVERFLOW,
         "partition_src: offsets of the source in shared memory do not fit in 2^31 bits"},
        {in_shared(t, ct_swizzle_none(), 0, "(8,32):(536870912,1)", 0), CT_E_OVERFLOW,
         "partition_src: offsets of the destination in shared memory do not fit in 2^31 bits"},
        {in_shared(t, ct_swizzle_none(), 0, "(8,32):(1@0,1@1)", 1), CT_E_ARGUMENT,
         "partition_src: the source in shared memory has a basis stride where integers are needed"},
        {in_shared(t, ct_swizzle_none(), 0, "(8,32):(1@0,1@1)", 0), CT_E_ARGUMENT,
         "partition_src: the destination in shared memory has a basis stride where integers "
         "are needed"},
        {ct_make_partition(t, T("(8,32)"), g, ct_in_shared_plain(L_("(7,32):(32,1)"))).err,
         CT_E_ARGUMENT,
         "partition_src: mode 0 of the layout in shared memory has 7 elements, and the tile "
         "has 8 there"},
        {ct_choose_copy(16, 7, T("(8,32)"), g, rows).atom.err, CT_E_ARGUMENT,
         "tiled_copy: 7 threads do not divide the tile: none of its modes takes the factor 7"},
        {ct_choose_partition(4, 32, T("(64,64)"), g, ct_in_global(0)).err, CT_E_ARGUMENT,
         "partition_src: elements of 4 bits keep their order in a copy, and the source and "
         "the destination have those of a thread in different orders"},
        {ct_make_any_copy(16, 8, 32).err, CT_E_ARGUMENT,
         "inner_partition: 32 threads are more than the vectors of 16 bytes of a tile of 8 x 8"},
    };
    int wrong = 0;
    for (size_t i = 0; i < LENGTH(row); ++i)
        wrong += !error_says(row[i].e, row[i].sentence) || row[i].e.status != row[i].status ||
                 error_unsaid(row[i].e) != NULL;
    assert_int_equal(wrong, 0);
}

GROUP("refusals of copies", NULL, NULL)
