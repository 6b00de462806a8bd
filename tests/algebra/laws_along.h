/**
 * Laws of coordinate layouts: coshape, the complement up to a shape, inverses and divides by them.
 * Included by laws.h.
 */
#ifndef CUTLET_TESTS_LAWS_ALONG_H
#define CUTLET_TESTS_LAWS_ALONG_H

/** What index i of L adds along a basis. */
LAW_FN int64_t law_along(ct_layout L, uint32_t basis, int64_t i)
{
    int64_t sum = 0;
    for (int k = 0; k < L.profile.leaves; i /= L.shape[k], ++k)
        if (L.basis[k] == basis) sum += i % L.shape[k] * L.stride[k];
    return sum;
}

/** Mode `basis` of a layout that takes coordinates. */
LAW_FN ct_layout law_mode_at(ct_layout R, uint32_t basis)
{
    for (; basis; basis >>= 8) R = ct_mode(R, (int)(basis & 0xffu) - 1);
    return R;
}

/** The size of a mode of a shape. */
LAW_FN int64_t law_extent_at(ct_tuple shape, uint32_t basis)
{
    int64_t n = 1;
    for (; basis; basis >>= 8) shape = ct_get(shape, (int)(basis & 0xffu) - 1);
    for (int k = 0; k < shape.profile.leaves; ++k) n *= shape.value[k];
    return n;
}

/** The bases of L, each once; returns how many. 0 is none. */
LAW_FN int law_bases(ct_layout L, uint32_t *out)
{
    int n = 0;
    for (int k = 0; k < L.profile.leaves; ++k) {
        int seen = L.basis[k] == 0;
        for (int j = 0; j < n; ++j) seen |= out[j] == L.basis[k];
        if (!seen) out[n++] = L.basis[k];
    }
    return n;
}

/** Whether integer strides that move stand beside bases. */
LAW_FN int law_mixes(ct_layout L)
{
    int bases = 0, integers = 0;
    for (int k = 0; k < L.profile.leaves; ++k) {
        bases |= L.basis[k] != 0;
        integers |= L.basis[k] == 0 && L.shape[k] > 1 && L.stride[k] != 0;
    }
    return bases && integers;
}

/** coshape: from the lowest to the highest that L reaches along each basis, 1 along the others. */
LAW_FN const char *law_coshape(ct_layout L)
{
    uint32_t basis[CT_MAX_LEAVES];
    const ct_tuple reach = ct_coshape(L);
    if (reach.err.status || law_mixes(L))
        return law_mixes(L) == (reach.err.status == CT_E_ARGUMENT)
                   ? NULL
                   : law_broken("refused where strides mix", 0, reach.err.status, law_mixes(L));
    const int n = law_bases(L, basis);
    if (n == 0) return reach.value[0] == ct_cosize(L) ? NULL : law_broken("as cosize", 0, 0, 1);
    int64_t all = 1, size = 1;
    for (int b = 0; b < n; ++b) {
        int64_t low = 0, high = 0;
        for (int64_t i = 0; i < oracle_size(L); ++i) {
            const int64_t at = law_along(L, basis[b], i);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (law_extent_at(reach, basis[b]) != high - low + 1)
            return law_broken("its extent", b, law_extent_at(reach, basis[b]), high - low + 1);
        all *= high - low + 1;
    }
    for (int k = 0; k < reach.profile.leaves; ++k) size *= reach.value[k];
    return size == all ? NULL : law_broken("1 along the modes not named", 0, size, all);
}

/** A coordinate of `shape` as one number, wide enough that copies past the shape do not meet. */
LAW_FN int64_t law_number_of(ct_layout L, ct_tuple path, int64_t i)
{
    int64_t number = 0;
    for (int k = path.profile.leaves - 1; k >= 0; --k)
        number = number * 1024 + law_along(L, path.basis[k], i);
    return number;
}

/** complement of a coordinate layout whose bases name leaves of the shape: distinct coordinates, in
 *  ascending order, along each mode as the complement there. */
LAW_FN const char *law_complement_along(ct_layout L, ct_tuple shape)
{
    int64_t at[ORACLE_MAX], last = -1;
    const ct_layout R = ct_complement_shape(L, shape);
    const ct_tuple path = ct_basis_like(shape);
    const char *bad = law_result(R);
    if (bad) return bad;
    int none = 0;
    for (int m = 0; m < path.profile.leaves; ++m) {
        ct_layout one = L;
        for (int k = 0; k < L.profile.leaves; ++k) {
            if (L.basis[k] != path.basis[m]) one.stride[k] = 0;
            one.basis[k] = 0;
        }
        none |= ct_complement(one, shape.value[m]).err.status != CT_OK;
    }
    if (R.err.status || none)
        return (R.err.status == CT_E_NO_LAYOUT) == none
                   ? NULL
                   : law_broken("refused as a complement along a mode", 0, R.err.status, none);
    const ct_layout moving = law_moving(L);
    const int64_t size = oracle_size(moving), copies = oracle_size(R);
    if (size * copies > ORACLE_MAX) return NULL;
    for (int64_t j = 0; j < copies; ++j) {
        const int64_t from = law_number_of(R, path, j);
        if (from <= last) return law_broken("R ascends", j, from, last);
        last = from;
        for (int64_t i = 0; i < size; ++i) at[j * size + i] = from + law_number_of(moving, path, i);
    }
    if (size * copies < ct_product(shape))
        return law_broken("as many as the shape has", 0, size * copies, ct_product(shape));
    return oracle_distinct(at, size * copies) == size * copies
               ? NULL
               : law_broken("the copies do not meet", 0, 0, size * copies);
}

/** complement up to a shape of integer strides: that up to its size, or more by whole modes. */
LAW_FN const char *law_complement_shape(ct_layout L, ct_tuple shape)
{
    if (L.err.status == CT_OK && !ct_is_integral(L)) return law_complement_along(L, shape);
    const ct_layout R = ct_complement_shape(L, shape), least = ct_complement(L, ct_product(shape));
    const char *bad = law_result(R);
    if (bad || R.err.status)
        return bad || least.err.status ? bad : law_broken("refused, and there is one", 0, 0, 1);
    int64_t extent = 1; /* of L with its gaps filled: the greatest stride times its size */
    const ct_layout moving = law_moving(L);
    for (int k = 0; k < moving.profile.leaves; ++k) {
        const int64_t d = ct_abs(moving.stride[k]) * moving.shape[k];
        if (moving.shape[k] > 1 && d > extent) extent = d;
    }
    int64_t rest = 1, by = extent; /* each mode of the shape rounded up by itself */
    for (int k = 0; k < shape.profile.leaves; ++k) {
        const int64_t s = shape.value[k];
        rest *= (s + by - 1) / by;
        by = (by + s - 1) / s;
    }
    const int64_t whole = (ct_product(shape) + extent - 1) / extent;
    if (rest < whole) rest = whole;
    if (least.err.status == CT_OK && oracle_size(R) * whole != oracle_size(least) * rest)
        return law_broken("as many copies as the modes need", 0, oracle_size(R), rest);
    return law_copies_do_not_meet(moving, R, ct_product(shape));
}

/** The inverses of a coordinate layout: L(R(c)) = c; R(L(i)) = i, or the first index there. */
LAW_FN const char *law_inverse_along(ct_layout L)
{
    uint32_t basis[CT_MAX_LEAVES];
    const ct_layout right = ct_right_inverse(L), left = ct_left_inverse(L);
    const char *bad = law_result(right);
    if (!bad) bad = law_result(left);
    const int n = law_bases(L, basis);
    if (bad || n == 0) return bad;
    if (law_mixes(L) != (right.err.status != CT_OK))
        return law_broken("a right inverse where strides do not mix", 0, right.err.status, 0);
    int nest = 1;
    for (int b = 0; b < n; ++b) {
        ct_layout one = L;
        for (int k = 0; k < L.profile.leaves; ++k) {
            if (L.basis[k] != basis[b]) one.stride[k] = 0;
            one.basis[k] = 0;
        }
        nest &= law_strides_nest(one);
    }
    if (right.err.status == CT_OK && nest && left.err.status != CT_OK)
        return law_broken("a left inverse where strides nest", 0, left.err.status, nest);
    for (int64_t i = 0; right.err.status == CT_OK && i < oracle_size(right); ++i) {
        int64_t index = 0, rest = i; /* coordinate number i */
        for (int b = 0; b < n; ++b) {
            const ct_layout mode = law_mode_at(right, basis[b]);
            index += oracle_eval(mode, rest % oracle_size(mode));
            rest /= oracle_size(mode);
        }
        rest = i;
        for (int b = 0; b < n; ++b) {
            const int64_t want = rest % oracle_size(law_mode_at(right, basis[b]));
            const int64_t got = law_along(L, basis[b], index);
            if (got != want) return law_broken("L(R(c)) = c", i, got, want);
            rest /= oracle_size(law_mode_at(right, basis[b]));
        }
        if (rest != 0) return law_broken("no mode but those named", i, rest, 0);
    }
    for (int64_t i = 0; left.err.status == CT_OK && i < oracle_size(L); ++i) {
        int64_t back = 0, first = i, place = 1;
        for (int b = 0; b < n; ++b)
            back += oracle_eval(law_mode_at(left, basis[b]), law_along(L, basis[b], i));
        for (int k = 0; k < L.profile.leaves; place *= L.shape[k], ++k)
            if (L.stride[k] == 0) first -= i / place % L.shape[k] * place;
        if (back != first) return law_broken("R(L(i)) is the first index of L(i)", i, back, first);
    }
    return NULL;
}

/** The index of A that coordinate i of L is, its bases those of modes of A or of theirs; -1 where it
 *  lies past a mode. */
LAW_FN int64_t law_index_at(ct_layout A, ct_layout L, ct_layout M, int64_t i, int64_t j)
{
    int64_t index = 0, place = 1;
    for (int m = 0; m < ct_layout_rank(A); ++m) {
        const ct_layout mode = ct_mode(A, m);
        const uint32_t path = (uint32_t)(m + 1);
        int64_t at = law_along(L, path, i) + law_along(M, path, j), inner = 1;
        for (int k = 0; k < ct_layout_rank(mode) && ct_layout_rank(mode) > 1; ++k) {
            const uint32_t below = path | (uint32_t)(k + 1) << 8;
            const int64_t step = law_along(L, below, i) + law_along(M, below, j);
            if (step >= oracle_size(ct_mode(mode, k))) return -1;
            at += inner * step;
            inner *= oracle_size(ct_mode(mode, k));
        }
        if (at >= oracle_size(mode)) return -1;
        index += place * at;
        place *= oracle_size(mode);
    }
    return index;
}

/** A divided by coordinates B of it: (tile, rest), each element of A once where nothing is rounded;
 *  the tile is A at the coordinates of B. */
LAW_FN const char *law_divide_along(ct_layout A, ct_layout B)
{
    int64_t at[ORACLE_MAX], index[ORACLE_MAX];
    const ct_layout R = ct_logical_divide(A, B);
    const char *bad = law_result(R);
    if (bad || R.err.status || ct_is_integral(B)) return bad;
    const ct_layout rest = ct_complement_shape(B, ct_shape(A));
    const int64_t tile = oracle_size(B), copies = oracle_size(rest);
    if (rest.err.status) return law_broken("a complement", 0, rest.err.status, 0);
    if (oracle_size(R) != tile * copies || tile * copies > ORACLE_MAX)
        return law_broken("as many elements", 0, oracle_size(R), tile * copies);
    int past = 0;
    for (int64_t i = 0; i < tile * copies; ++i) {
        at[i] = index[i] = law_index_at(A, B, rest, i % tile, i / tile);
        past |= index[i] < 0;
    }
    for (int64_t i = 0; i < tile * copies && !past; ++i) {
        const int64_t want = oracle_eval(A, index[i]);
        if (oracle_eval(R, i) != want)
            return law_broken("R is A at tile + rest", i, oracle_eval(R, i), want);
    }
    const int once = law_injective(B) && !past;
    if (!once) return NULL;
    const int64_t size = oracle_size(A);
    return tile * copies == size && oracle_distinct(at, size) == size
               ? NULL
               : law_broken("each element once", 0, tile * copies, size);
}

#endif
