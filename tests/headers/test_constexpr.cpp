/* Every function of the algebra in a constant expression: the compiler is the test. g++ compiles
 * this as C++17, nvcc as CUDA. Each line is one function and one value, in the notation. */
#include <cutlet/cutlet.h>

/** One tuple of the notation from *p, which moves behind it. */
constexpr ct_tuple read_tuple(const char *&p)
{
    ct_tuple t = CT_ZERO;
    int level = 0, opens = 0;
    for (;;) {
        const int n = t.profile.leaves;
        if (*p == ' ' || *p == ',') {
            ++p;
        } else if (*p == '(') {
            ++opens;
            ++level;
            ++p;
        } else if (*p == ')') {
            if (n > 0) t.profile.close[n - 1] = (uint8_t)(t.profile.close[n - 1] + 1);
            ++p;
            if (--level == 0) return t;
        } else {
            t.profile.leaves = n + 1;
            t.profile.open[n] = (uint8_t)opens;
            opens = 0;
            if (*p == '_') {
                t.basis[n] = CT_ANY;
                ++p;
            }
            const bool negative = *p == '-';
            if (negative) ++p;
            for (; *p >= '0' && *p <= '9'; ++p) t.value[n] = 10 * t.value[n] + (*p - '0');
            if (negative) t.value[n] = -t.value[n];
            for (; *p == '@'; p += 2) t.basis[n] = (t.basis[n] << 8) | (uint32_t)(p[1] - '0' + 1);
            if (level == 0) return t;
        }
    }
}

constexpr ct_tuple T(const char *text) { return read_tuple(text); }

constexpr ct_layout L(const char *text)
{
    const ct_tuple shape = read_tuple(text);
    return *text == ':' ? ct_make_layout(shape, T(text + 1)) : ct_make_col_major(shape);
}

/** <a,b>. */
constexpr ct_tiler TL(const char *a, const char *b)
{
    return ct_tiler2(*a == '_' ? ct_tile_any() : L(a), *b == '_' ? ct_tile_any() : L(b));
}

constexpr bool is(ct_layout value, const char *text) { return ct_layout_equal(value, L(text)); }
constexpr bool is(ct_tuple value, const char *text) { return ct_tuple_equal(value, T(text)); }
constexpr bool is(ct_tensor value, const char *offset, const char *layout)
{
    return is(value.offset, offset) && is(value.layout, layout);
}
constexpr bool fails(ct_error e, int status, int op, int why)
{
    return e.status == status && e.op == op && e.why == why;
}

/* base.h: arithmetic that notices overflow */
constexpr bool overflows(int64_t a, int64_t b, bool product)
{
    int ok = 1;
    const int64_t r = product ? ct_mul(a, b, &ok) : ct_add(a, b, &ok);
    return !ok && r == 0;
}
static_assert(overflows(INT64_MAX, 2, true), "");
static_assert(overflows(INT64_MIN, -1, true), "");
static_assert(overflows(-1, INT64_MIN, true), "");
static_assert(overflows(INT64_C(1) << 32, INT64_C(1) << 31, true), "");
static_assert(overflows(INT64_MAX, 1, false), "");
static_assert(overflows(INT64_MIN, -1, false), "");
static_assert(!overflows(INT64_C(1) << 31, -(INT64_C(1) << 32), true), "");
static_assert(ct_gcd(12, -18) == 6 && ct_gcd(0, 5) == 5, "");
static_assert(ct_ceil_div_int(7, 2) == 4 && ct_signum(-3) == -1 && ct_abs(-3) == 3, "");
static_assert(ct_min(2, 3) == 2 && ct_max(2, 3) == 3, "");

/* tuple.h */
static_assert(ct_rank(T("((2,3),4)")) == 2, "");
static_assert(ct_depth(T("((2,3),4)")) == 2, "");
static_assert(ct_product(T("((2,3),4)")) == 24, "");
static_assert(ct_product(T("(4611686018427387904,4)")) == CT_INVALID, "");
static_assert(ct_is_integer(T("5")) && !ct_is_integer(T("(5)")), "");
static_assert(is(ct_concat(T("(2,3)"), T("(4,(5,6))")), "(2,3,4,(5,6))"), "");
static_assert(is(ct_append(T("(2,3)"), T("(4,5)")), "(2,3,(4,5))"), "");
static_assert(is(ct_prepend(T("(2,3)"), T("(4,5)")), "((4,5),2,3)"), "");
static_assert(is(ct_wrap(T("(2,3)")), "((2,3))"), "");
static_assert(is(ct_tuple1(2), "(2)") && is(ct_tuple2(2, 3), "(2,3)"), "");
static_assert(is(ct_tuple3(2, 3, 4), "(2,3,4)") && is(ct_tuple4(2, 3, 4, 5), "(2,3,4,5)"), "");
static_assert(is(ct_get(T("((2,3),4)"), 0), "(2,3)"), "");
static_assert(is(ct_take(T("(2,(3,4),5,6)"), 1, 3), "((3,4),5)"), "");
static_assert(is(ct_any(), "_") && is(ct_basis(3, 0), "3@0"), "");
static_assert(ct_congruent(T("(2,(3,4))"), T("(5,(6,7))")), "");
static_assert(fails(ct_get(T("(2,3)"), 2).err, CT_E_ARGUMENT, CT_OP_MODE, CT_WHY_MODE), "");

/* tuple_ops.h */
static_assert(is(ct_flatten(T("((2,3),(4,(5)))")), "(2,3,4,5)"), "");
static_assert(is(ct_unflatten(T("(2,3,4)"), T("((0,0),0)")), "((2,3),4)"), "");
static_assert(is(ct_group(T("(2,3,4,5)"), 1, 3), "(2,(3,4),5)"), "");
static_assert(is(ct_replace(T("(2,3,4)"), 1, T("(5,6)")), "(2,(5,6),4)"), "");
static_assert(is(ct_select(T("(2,(3,4),5)"), T("(2,1)")), "(5,(3,4))"), "");
static_assert(is(ct_slice(T("(2,(3,4))"), T("(_,(1,_))")), "(2,4)"), "");
static_assert(is(ct_dice(T("(2,(3,4))"), T("(_,(1,_))")), "(3)"), "");
static_assert(ct_weakly_congruent(T("(4,6)"), T("((2,2),6)")), "");
static_assert(ct_compatible(T("24"), T("((2,2),6)")) && !ct_compatible(T("(6,4)"), T("((2,2),6)")),
              "");
static_assert(is(ct_ceil_div(T("(10,7)"), T("(4,2)")), "(3,4)"), "");
static_assert(is(ct_shape_div(T("(4,5,6)"), T("40")), "(1,1,3)"), "");
static_assert(is(ct_product_each(T("((2,3),4)")), "(6,4)"), "");
static_assert(is(ct_product_like(T("((2,3),4)"), T("(0,0)")), "(6,4)"), "");
static_assert(ct_evenly_divides(T("(8,6)"), T("(4,3)")) &&
                  !ct_evenly_divides(T("(8,6)"), T("(4,4)")),
              "");
static_assert(ct_elem_less(T("(1,(2,3))"), T("(2,(3,4))")), "");
static_assert(is(ct_reverse(T("(2,(3,4),5)")), "(5,(3,4),2)"), "");
static_assert(is(ct_layout_reverse(L("(2,(3,4)):(1,(2,6))")), "((3,4),2):((2,6),1)"), "");
static_assert(is(ct_prefix_product(T("(2,(3,4),5)"), T("7")), "(7,(14,42),168)"), "");
static_assert(is(ct_suffix_product(T("((2,3),(4,5))"), T("(1,10)")), "((3,1),(50,10))"), "");
static_assert(ct_elem_leq(T("(1,3)"), T("(2,3)")) && !ct_elem_leq(T("(1,5)"), T("(2,3)")), "");
static_assert(ct_elem_gtr(T("(2,3)"), T("(1,2)")) && ct_elem_geq(T("(2,3)"), T("(1,3)")), "");
static_assert(ct_lex_less(T("(1,5)"), T("(2,3)")) && ct_lex_leq(T("(1,5)"), T("(1,5)")), "");
static_assert(ct_lex_gtr(T("(2,3)"), T("(1,5)")) && !ct_lex_geq(T("(1,5)"), T("(2,3)")), "");
static_assert(ct_colex_less(T("(2,3)"), T("(1,5)")) && ct_colex_leq(T("(1,5)"), T("(1,5)")), "");
static_assert(ct_colex_gtr(T("(1,5)"), T("(2,3)")) && !ct_colex_geq(T("(2,3)"), T("(1,5)")), "");

/* layout.h, build.h, layout_ops.h */
static_assert(is(ct_make_layout(T("(4,(2,3))"), T("(1,(4,8))")), "(4,(2,3)):(1,(4,8))"), "");
static_assert(is(ct_layout1(4, 2), "4:2") && is(ct_layout2(4, 8, 8, 1), "(4,8):(8,1)"), "");
static_assert(is(ct_make_layout2(L("(2,4):(1,2)"), L("3:8")), "((2,4),3):((1,2),8)"), "");
static_assert(is(ct_mode(L("((2,4),3):((1,2),8)"), 0), "(2,4):(1,2)"), "");
static_assert(ct_size(L("((2,4),3):((1,2),8)")) == 24, "");
static_assert(ct_layout_rank(L("((2,4),3):((1,2),8)")) == 2, "");
static_assert(ct_layout_depth(L("((2,4),3):((1,2),8)")) == 2, "");
static_assert(ct_eval(L("(4,8):(8,1)"), 5) == 9 && ct_eval2(L("(4,8):(8,1)"), 1, 1) == 9, "");
static_assert(ct_is_valid(L("(4,8):(8,1)")) && ct_is_integral(L("(4,8):(8,1)")), "");
static_assert(is(ct_shape(L("(4,8):(8,1)")), "(4,8)") && is(ct_stride(L("(4,8):(8,1)")), "(8,1)"),
              "");
static_assert(fails(ct_layout1(0, 1).err, CT_E_ARGUMENT, CT_OP_MAKE_LAYOUT, CT_WHY_SHAPE), "");
static_assert(fails(ct_layout1(4, INT64_MAX).err, CT_E_OVERFLOW, CT_OP_MAKE_LAYOUT,
                    CT_WHY_OVERFLOW),
              "");
static_assert(is(ct_layout_flatten(L("((2,3),4):((1,2),6)")), "(2,3,4):(1,2,6)"), "");
static_assert(is(ct_layout_unflatten(L("(2,3,4):(1,2,6)"), T("((0,0),0)")), "((2,3),4):((1,2),6)"),
              "");
static_assert(is(ct_layout_group(L("(2,3,4):(1,2,6)"), 0, 2), "((2,3),4):((1,2),6)"), "");
static_assert(is(ct_layout_append(L("(2,3):(1,2)"), L("4:6")), "(2,3,4):(1,2,6)"), "");
static_assert(is(ct_layout_prepend(L("(2,3):(1,2)"), L("4:6")), "(4,2,3):(6,1,2)"), "");
static_assert(is(ct_layout_replace(L("(2,3):(1,2)"), 1, L("4:6")), "(2,4):(1,6)"), "");
static_assert(is(ct_layout_select(L("(2,3,4):(1,2,6)"), T("(2,0)")), "(4,2):(6,1)"), "");
static_assert(is(ct_layout_take(L("(2,3,4):(1,2,6)"), 1, 3), "(3,4):(2,6)"), "");
static_assert(is(ct_layout_slice(L("(2,3):(1,2)"), T("(_,1)")), "(2):(1)"), "");
static_assert(is(ct_layout_dice(L("(2,3):(1,2)"), T("(_,1)")), "(3):(2)"), "");

/* coord.h */
static_assert(is(ct_at(L("(4,(2,4)):(8,(4,1))"), T("(3,(1,2))")), "30"), "");
static_assert(is(ct_at(L("(2,3):(1@0,1@1)"), T("5")), "(1,2)"), "");
static_assert(fails(ct_at(L("(4,8):(8,1)"), T("(4,0)")).err, CT_E_DOMAIN, CT_OP_CRD2IDX,
                    CT_WHY_COORD),
              "");
static_assert(is(ct_crd2idx(T("(1,2)"), T("(4,8)")), "9"), "");
static_assert(is(ct_idx2crd(13, T("(4,(2,4))")), "(1,(1,1))"), "");
static_assert(is(ct_crd2crd(T("(3,5)"), T("(4,8)"), T("(4,(2,4))")), "(3,(1,2))"), "");
static_assert(is(ct_hier_coord(L("(4,8):(8,1)"), 13), "(1,5)"), "");

/* make.h, size.h */
static_assert(is(ct_compact_col_major(T("(4,(2,1,3))")), "(1,(4,0,8))"), "");
static_assert(is(ct_compact_row_major(T("(4,(2,1,3))")), "(6,(3,0,1))"), "");
static_assert(is(ct_compact_order(T("(2,3,4,5)"), T("(3,1,4,2)")), "(15,1,30,3)"), "");
static_assert(is(ct_make_row_major(T("(4,8)")), "(4,8):(8,1)"), "");
static_assert(is(ct_make_ordered_layout(T("(2,2,2,2)"), T("(0,2,3,1)")), "(2,2,2,2):(1,4,8,2)"),
              "");
static_assert(is(ct_make_layout_like(L("(2,3,4,5):(0,42,1,0)")), "(2,3,4,5):(0,4,1,0)"), "");
static_assert(is(ct_make_fragment_like(L("((4,2),8):((8,64),1)")), "((4,2),8):((1,4),8)"), "");
static_assert(is(ct_make_identity_layout(T("(4,(2,3))")), "(4,(2,3)):(1@0,(1@0@1,1@1@1))"), "");
static_assert(ct_cosize(L("(4,8):(1,5)")) == 39 && ct_lowest(L("4:-2")) == -6, "");

/* coalesce.h, composition.h, tiler.h */
static_assert(is(ct_coalesce(L("(2,(1,6)):(1,(6,2))")), "12:1"), "");
static_assert(is(ct_coalesce_by(L("(2,(1,6)):(1,(6,2))"), T("(1,1)")), "(2,6):(1,2)"), "");
static_assert(is(ct_coalesce_z(L("(2,1,6,1):(1,7,8,0)")), "(2,6,1):(1,8,0)"), "");
static_assert(is(ct_filter_zeros(L("(2,3,4):(1,0,2)")), "(2,1,4):(1,0,2)"), "");
static_assert(is(ct_filter(L("(2,3,4):(1,0,2)")), "8:1"), "");
static_assert(is(ct_filter_by(L("((2,3),4):((1,0),0)"), T("(1)")), "(2,4):(1,0)"), "");
static_assert(is(ct_composition(L("(6,2):(8,2)"), L("(4,3):(3,1)")), "((2,2),3):((24,2),8)"), "");
static_assert(is(ct_composition_by(L("(8,8):(8,1)"), TL("4:2", "2:1")), "(4,2):(16,1)"), "");
static_assert(is(ct_composition_by(L("(8,8,3):(8,1,64)"), TL("4:2", "_")), "(4,8):(16,1)"), "");
static_assert(is(ct_composition(L("(8,4):(1,8)"), L("4:2@0")), "4:2"), "");
static_assert(fails(ct_composition(L("(4,2):(1,8)"), L("3:3")).err, CT_E_NO_LAYOUT,
                    CT_OP_COMPOSITION, CT_WHY_STRIDE_CROSSES),
              "");
static_assert(fails(ct_composition(L("(4,2):(1,8)"), L("(3,3):(1,1)")).err, CT_E_NO_LAYOUT,
                    CT_OP_COMPOSITION, CT_WHY_CARRY), "");
static_assert(ct_tiler_count(ct_tiler_of_shape(T("(4,2)"))) == 2, "");
static_assert(is(ct_tile(ct_tiler_of_shape(T("(4,2)")), 1), "2:1"), "");

/* sort.h, complement.h, inverse.h */
static_assert(is(ct_sort(L("(2,(3,4)):(12,(4,1))")), "(4,3,2):(1,4,12)"), "");
static_assert(is(ct_squeeze(L("(2,1,(1,3)):(5,7,(0,1))")), "(2,(1,3)):(5,(0,1))"), "");
static_assert(is(ct_complement(L("(2,2):(1,6)"), 24), "(3,2):(2,12)"), "");
static_assert(fails(ct_complement(L("(2,2):(2,6)"), 24).err, CT_E_NO_LAYOUT, CT_OP_COMPLEMENT,
                    CT_WHY_GAP),
              "");
static_assert(fails(ct_complement(L("4:2305843009213693952"), 8).err, CT_E_OVERFLOW,
                    CT_OP_COMPLEMENT, CT_WHY_OVERFLOW),
              "");
static_assert(is(ct_right_inverse(L("(4,8):(8,1)")), "(8,4):(4,1)"), "");
static_assert(is(ct_left_inverse(L("(2,3):(1,6)")), "(6,3):(1,2)"), "");
static_assert(is(ct_nullspace(L("(2,3,4):(1,0,2)")), "3:2"), "");
static_assert(is(ct_coshape(L("(4,8):(2@1,1@0)")), "(8,7)"), "");
static_assert(is(ct_complement_shape(L("2:1@0"), T("((2,3),4)")), "(3,4):(2@0,1@1)"), "");
static_assert(is(ct_complement_within(L("(2,2):(1,4)")), "2:2"), "");
static_assert(is(ct_right_inverse(L("(4,8):(1@1,1@0)")), "(8,4):(4,1)"), "");
static_assert(is(ct_left_inverse(L("(2,3):(0@0,1@1)")), "(1,3):(0,2)"), "");
static_assert(is(ct_left_inverse(L("(2,2):(2@0,3@0)")), "((2,3)):((1,1))"), "");
static_assert(fails(ct_left_inverse(L("(3,2):(3@0,3@0)")).err, CT_E_NO_LAYOUT, CT_OP_LEFT_INVERSE,
                    CT_WHY_OVERLAP_ALONG),
              "");
static_assert(is(ct_logical_divide(L("(8,8)"), L("(4,2):(1@0,1@1)")), "((4,2),(2,4)):((1,8),(4,16))"),
              "");

/* swizzle.h, tensor_composition.h, linear_layout.h */
constexpr ct_tensor swizzled = ct_make_swizzled(ct_make_swizzle(2, 0, 3), 0, L("(8,4)"));
static_assert(ct_swizzle_composition(ct_make_swizzle(1, 0, 3), ct_make_swizzle(1, 1, 3)).bits == 2, "");
static_assert(ct_tensor_of_tensor(swizzled, swizzled).swizzle.bits == 0, "");
static_assert(is(ct_tensor_complement(swizzled, T("64")), "2:32"), "");
static_assert(ct_tensor_divide_by_tensor(ct_make_tensor(L("(8,8)")), swizzled).swizzle.bits == 2, "");
constexpr ct_linear_layout linear = ct_make_linear(swizzled);
static_assert(linear.bits == 5 && linear.image[4] == 18, "");
static_assert(is(ct_linear_tensor(linear).layout, "(8,4):(1,8)"), "");
static_assert(ct_linear_eval(&linear, 31) == ct_tensor_eval(swizzled, 31), "");
constexpr ct_linear_layout unlinear = ct_linear_inverse(linear);
static_assert(ct_linear_composition(unlinear, linear).image[3] == 8, "");

/* divide.h */
static_assert(is(ct_logical_divide(L("(4,2,3):(2,1,8)"), L("4:2")), "((2,2),(2,3)):((4,1),(2,8))"),
              "");
static_assert(is(ct_zipped_divide(L("(4,2,3):(2,1,8)"), L("4:2")), "((2,2),(2,3)):((4,1),(2,8))"),
              "");
static_assert(is(ct_tiled_divide(L("(4,2,3):(2,1,8)"), L("4:2")), "((2,2),2,3):((4,1),2,8)"), "");
static_assert(is(ct_flat_divide(L("(4,2,3):(2,1,8)"), L("4:2")), "(2,2,2,3):(4,1,2,8)"), "");
static_assert(is(ct_logical_divide_by(L("(9,8):(8,1)"), TL("3:3", "4:1")),
                 "((3,3),(4,2)):((24,8),(1,4))"),
              "");
static_assert(is(ct_zipped_divide_by(L("(9,8):(8,1)"), TL("3:3", "4:1")),
                 "((3,4),(3,2)):((24,1),(8,4))"),
              "");
static_assert(is(ct_tiled_divide_by(L("(9,8):(8,1)"), TL("3:3", "4:1")),
                 "((3,4),3,2):((24,1),8,4)"),
              "");
static_assert(is(ct_flat_divide_by(L("(9,8):(8,1)"), TL("3:3", "4:1")), "(3,4,3,2):(24,1,8,4)"),
              "");
static_assert(ct_divide_excess(L("10:1"), L("4:1")) == 2, "");
static_assert(ct_divide_excess_by(L("(10,6):(1,10)"), TL("4:1", "3:1")) == 12, "");

/* product.h */
static_assert(is(ct_logical_product(L("(2,2):(4,1)"), L("6:1")), "((2,2),(2,3)):((4,1),(2,8))"),
              "");
static_assert(is(ct_logical_product_by(L("(4,8):(1,4)"), TL("2:1", "_")), "((4,2),8):((1,4),4)"),
              "");
static_assert(is(ct_zipped_product(L("(2,2):(4,1)"), L("6:1")), "((2,2),(2,3)):((4,1),(2,8))"), "");
static_assert(is(ct_tiled_product(L("(2,2):(4,1)"), L("(2,3):(1,2)")), "((2,2),2,3):((4,1),2,8)"),
              "");
static_assert(is(ct_flat_product(L("(2,2):(4,1)"), L("(2,3):(1,2)")), "(2,2,2,3):(4,1,2,8)"), "");
static_assert(is(ct_blocked_product(L("(2,5):(5,1)"), L("(3,4):(1,3)")),
                 "((2,3),(5,4)):((5,10),(1,30))"),
              "");
static_assert(is(ct_raked_product(L("(2,5):(5,1)"), L("(3,4):(1,3)")),
                 "((3,2),(4,5)):((10,5),(30,1))"),
              "");
static_assert(is(ct_tile_to_shape(L("(2,2):(1,2)"), T("(4,6)"), T("(1,0)")),
                 "((2,2),(2,3)):((1,12),(2,4))"),
              "");

/* tensor.h, partition.h */
static_assert(is(ct_tensor_slice(ct_make_tensor(L("(4,8):(8,1)")), T("(2,_)")), "16", "(8):(1)"),
              "");
static_assert(is(ct_offset_add(T("(1,2)"), T("(3,4)")), "(4,6)"), "");
static_assert(is(ct_repeat_any(2), "(_,_)") && is(ct_pad_any(T("(3)"), 2), "(3,_)"), "");
static_assert(is(ct_local_tile(ct_make_tensor(L("(8,8):(8,1)")), TL("2:1", "4:1"), T("(1,1)")), "20",
                 "(2,4):(8,1)"),
              "");
static_assert(is(ct_inner_partition(ct_make_tensor(L("(8,8):(8,1)")), TL("2:1", "4:1"), T("(1,0)")), "16",
                 "(2,4):(8,1)"),
              "");
static_assert(is(ct_outer_partition(ct_make_tensor(L("(8,8):(8,1)")), TL("2:1", "4:1"), T("(1,0)")), "8",
                 "(4,2):(16,4)"),
              "");
static_assert(is(ct_local_partition(ct_make_tensor(L("(128,16):(1,128)")), L("(8,4):(4,1)"), 7), "385",
                 "(16,4):(8,512)"),
              "");

/* vector.h, cast.h, distribute.h */
static_assert(is(ct_max_common_layout(L("(4,8):(1,4)"), L("(4,8):(1,8)")), "4:1"), "");
static_assert(ct_max_common_vector(L("(16,8):(8,4096)"), L("(16,8):(8,128)")) == 1, "");
static_assert(ct_max_alignment(L("(4,8):(1,6)")) == 2, "");
static_assert(is(ct_upcast(L("(8,4):(1,8)"), 4), "(2,4):(1,2)"), "");
static_assert(is(ct_downcast(L("(2,4):(1,2)"), 4), "(8,4):(1,8)"), "");
static_assert(is(ct_recast(L("(8,4):(1,8)"), 16, 128), "(1,4):(1,1)"), "");
static_assert(is(ct_domain_distribute(T("(15,14)"), 6), "(3,2):(1,15)"), "");

/* swizzle.h, tensor.h, tensor_ops.h */
constexpr ct_tensor SWIZZLED = ct_make_swizzled(ct_make_swizzle(3, 4, 3), 0, L("(8,64):(64,1)"));
static_assert(ct_swizzle_apply(ct_make_swizzle(3, 4, 3), 200) == 216, "");
static_assert(ct_swizzle_apply(ct_make_swizzle(2, 0, -3), 3) == 27, "");
static_assert(ct_swizzle_source(ct_make_swizzle(3, 4, 3)) == 0x380, "");
static_assert(ct_swizzle_target(ct_make_swizzle(3, 4, 3)) == 0x70, "");
static_assert(ct_swizzle_none().bits == 0 && ct_make_swizzle(2, 0, 1).err.status == CT_E_ARGUMENT,
              "");
static_assert(ct_swizzle_upcast(ct_make_swizzle(3, 4, 3), 8).base == 1, "");
static_assert(ct_swizzle_downcast(ct_make_swizzle(3, 1, 3), 8).base == 4, "");
static_assert(ct_tensor_eval(SWIZZLED, 3 + 8 * 8) == 216, "");
static_assert(is(ct_tensor_at(SWIZZLED, T("(3,16)")), "192"), "");
static_assert(is(ct_tensor_cosize(SWIZZLED), "512"), "");
static_assert(is(ct_tensor_slice(SWIZZLED, T("(_,3)")), "3", "(8):(64)"), "");
static_assert(is(ct_tensor_composition(SWIZZLED, L("8:8")), "0", "8:1"), "");
static_assert(is(ct_tensor_composition_by(SWIZZLED, TL("4:2", "2:1")), "0", "(4,2):(128,1)"), "");
static_assert(is(ct_tensor_zipped_divide_by(SWIZZLED, TL("4:1", "8:1")), "0",
                 "((4,8),(2,8)):((64,1),(256,8))"),
              "");
static_assert(is(ct_tensor_upcast(SWIZZLED, 8), "0", "(8,8):(8,1)"), "");
static_assert(is(ct_tensor_downcast(ct_tensor_upcast(SWIZZLED, 8), 8), "0", "(8,64):(64,1)"), "");

static_assert(is(ct_tensor_coalesce(SWIZZLED), "0", "(8,64):(64,1)"), "");
static_assert(is(ct_tensor_coalesce_by(SWIZZLED, T("(1)")), "0", "(8,64):(64,1)"), "");
static_assert(is(ct_tensor_logical_divide(SWIZZLED, L("8:1")), "0", "(8,64):(64,1)"), "");
static_assert(is(ct_tensor_recast(SWIZZLED, 16, 128), "0", "(8,8):(8,1)"), "");
static_assert(is(ct_tensor_max_common_layout(SWIZZLED, SWIZZLED), "16:8"), "");
static_assert(ct_tensor_max_common_vector(SWIZZLED, SWIZZLED) == 16, "");
static_assert(ct_tensor_max_alignment(SWIZZLED) == 16, "");
static_assert(ct_tensor_size(SWIZZLED) == 512, "");
static_assert(is(ct_local_tile(SWIZZLED, TL("4:1", "8:1"), T("(1,2)")), "272", "(4,8):(64,1)"), "");
static_assert(ct_local_tile(SWIZZLED, TL("4:1", "8:1"), T("(1,2)")).swizzle.bits == 3, "");
static_assert(is(ct_local_partition(ct_local_tile(SWIZZLED, TL("4:1", "8:1"), T("(1,2)")),
                                    L("(2,4):(4,1)"), 5),
                 "337", "(2,2):(128,4)"),
              "");

/* combine.h */
static_assert(is(ct_greatest_common_domain(T("(5,3,4)"), T("(10,6)")), "(5,2):(1,30)"), "");
static_assert(is(ct_layout_add(L("(4,3):(1,4)"), L("(4,3):(3,1)")), "(4,3):(4,5)"), "");
static_assert(is(ct_common_refinement(T("(4,(3,5))"), T("((2,2),15)")), "((2,2),(3,5))"), "");
static_assert(is(ct_common_coarsening(T("(4,(3,5))"), T("((2,2),15)")), "(4,15)"), "");

/* copy_atom.h, tiled_copy.h, copy_width.h */
constexpr ct_copy_atom U64 = ct_copy_atom_universal(64, 16);
constexpr ct_tiled_copy COPY = ct_make_tiled_copy(U64, L("(16,8):(8,1)"), L("(1,4):(1,1)"));
constexpr ct_layout ROWS = L("(16,64):(64,1)");
static_assert(is(U64.src_tv, "(1,4):(0,1)") && ct_atom_vector(U64) == 4, "");
static_assert(ct_atom_threads(U64) == 1 && ct_atom_values(U64) == 4, "");
static_assert(is(ct_copy_atom_cp_async(CT_ATOM_CP_ASYNC_CA, 32, 16).src_tv, "(1,2):(0,1)"), "");
static_assert(is(ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16).dst_tv, "(32,(2,4)):(2,(1,64))"), "");
static_assert(ct_atom_threads(ct_copy_atom_matrix(CT_ATOM_STMATRIX_TRANS, 2, 16)) == 32, "");
static_assert(is(COPY.tv, "((8,16),4):((64,1),16)"), "");
static_assert(ct_tiled_copy_threads(COPY) == 128 && is(ct_tiled_copy_shape(COPY), "(16,32)"), "");
static_assert(ct_size(ct_tiled_copy_tv(COPY, U64.dst_tv)) == 512, "");
static_assert(is(ct_partition_src(COPY, ct_make_tensor(ROWS), 9).offset, "68"), "");
static_assert(ct_size(ct_partition_dst(COPY, ct_make_tensor(ROWS), 9).layout) == 8, "");
static_assert(is(ct_partition_src(COPY, ct_local_tile(ct_make_tensor(L("(64,64):(64,1)")),
                                                      TL("16:1", "64:1"), T("(2,0)")),
                                  9)
                     .offset,
                 "2116"),
              "");
static_assert(ct_partition_dst(COPY, ct_make_swizzled(ct_make_swizzle(3, 3, 3), 0, ROWS), 9)
                      .swizzle.base == 3,
              "");
static_assert(ct_tiled_copy_check(COPY, ROWS, ROWS).status == CT_OK, "");
static_assert(fails(ct_tiled_copy_check(COPY, L("(16,64):(1,16)"), ROWS), CT_E_ARGUMENT,
                    CT_OP_TILED_COPY, CT_WHY_CONTIGUOUS),
              "");
static_assert(fails(ct_make_tiled_copy(U64, L("(16,8):(8,1)"), L("(1,2):(1,1)")).atom.err,
                    CT_E_ARGUMENT, CT_OP_TILED_COPY, CT_WHY_VALUES),
              "");
static_assert(is(ct_make_cotiled_copy(U64, L("(32,8):(8,1)"), L("(16,16):(16,1)")).tv.err.status ==
                         CT_OK
                     ? ct_int(1)
                     : ct_int(0),
                 "1"),
              "");
static_assert(
    ct_size(ct_retile(COPY, ct_make_fragment_like(ct_partition_dst(COPY, ct_make_tensor(ROWS), 0).layout))) == 8,
    "");
static_assert(ct_copy_width(ROWS, ROWS, 2, 16, 0, 0).bytes == 16, "");
static_assert(ct_copy_width(ROWS, ROWS, 2, 16, 4, 0).limit == CT_WIDTH_SRC_POINTER, "");

/* mma_atom.h, tiled_mma.h, mma_partition.h */
constexpr ct_mma_atom HMMA = ct_make_mma_atom("SM80_16x8x16_F32F16F16F32_TN");
constexpr ct_tiled_mma MMA = ct_make_tiled_mma(HMMA, L("(2,2,1)"), ct_tiler_of_shape(T("(32,32,16)")));
constexpr ct_tensor MATRIX = ct_make_tensor(L("(128,64):(64,1)"));
static_assert(is(HMMA.a_tv, "((4,8),(2,2,2)):((32,1),(16,8,128))"), "");
static_assert(is(HMMA.b_tv, "((4,8),(2,2)):((16,1),(8,64))"), "");
static_assert(is(HMMA.c_tv, "((4,8),(2,2)):((32,1),(16,8))"), "");
static_assert(is(ct_make_mma_atom("SM90_64x96x32_S32S8U8_RS_TN_SATURATE").c_tv,
                 "((4,8,4),(2,2,12)):((128,1,16),(64,8,512))"),
              "");
static_assert(fails(ct_make_mma_atom("SM80_16x8x24_F32F16F16F32_TN").err, CT_E_ARGUMENT,
                    CT_OP_MMA_ATOM, CT_WHY_MMA_SHAPE),
              "");
static_assert(is(ct_tiled_mma_shape(MMA), "(32,32,16)") && ct_tiled_mma_threads(MMA) == 128, "");
static_assert(is(ct_partition_a(MMA, MATRIX, 40), "1152", "((2,2,2),4,4):((1,512,8),2048,16)"), "");
static_assert(is(ct_partition_b(MMA, MATRIX, 40).offset, "128"), "");
static_assert(is(ct_partition_c(MMA, MATRIX, 40).layout, "((2,2),4,4):((1,512),2048,16)"), "");
static_assert(is(ct_mma_fragment_shape(MMA, T("(128,64)"), CT_MMA_B), "((2,2),8,4)"), "");
static_assert(is(ct_tiled_mma_tv(MMA, CT_MMA_C),
                 "((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))"),
              "");
static_assert(ct_make_tiled_copy_a(ct_copy_atom_matrix(CT_ATOM_LDMATRIX, 4, 16), MMA).atom.err.status ==
                  CT_OK,
              "");
static_assert(fails(ct_make_tiled_mma(HMMA, L("(2,2,1)"), TL("_", "24:1")).atom.err, CT_E_ARGUMENT,
                    CT_OP_TILED_MMA, CT_WHY_SIZE_DIVIDES),
              "");

/* mma_swizzle.h, mma_runs.h, mma_descriptor.h, mma_descriptor_bits.h,
   mma_descriptor_nearest.h */
constexpr ct_mma_atom WGMMA = ct_make_mma_atom("SM90_64x128x16_F32F16F16_SS");
constexpr ct_tensor PLAIN = ct_make_tensor(L("(64,64):(64,1)"));
constexpr ct_tensor NEAREST = ct_mma_descriptor_nearest(PLAIN, CT_MMA_A, WGMMA);
constexpr ct_mma_descriptor DESC = ct_make_mma_descriptor(NEAREST, CT_MMA_A, WGMMA);
static_assert(NEAREST.swizzle.bits == 3 && NEAREST.swizzle.base == 3, "");
static_assert(is(NEAREST.layout, "(64,64):(64,1)") && is(DESC.steps, "(1,4):(0,32)"), "");
static_assert(ct_mma_descriptor_pack(DESC) == 0x4000004000010000u, "");
static_assert(ct_mma_descriptor_pack(ct_mma_descriptor_at(DESC, 1152)) == 0x4002004000010048u, "");
static_assert(ct_mma_descriptor_step(0x4000004000010000u, 32) == 0x4000004000010002u, "");
static_assert(!ct_mma_reads_leading(&DESC) && ct_mma_reads_stride(&DESC), "");
static_assert(ct_mma_swizzle_mode(ct_make_swizzle(2, 3, 2), 32) == CT_MMA_SWIZZLE_128B_32B, "");
static_assert(fails(ct_make_mma_descriptor(PLAIN, CT_MMA_A, WGMMA).err, CT_E_ARGUMENT,
                    CT_OP_MMA_DESCRIPTOR, CT_WHY_DESC_LINES),
              "");

int main() { return 0; }
