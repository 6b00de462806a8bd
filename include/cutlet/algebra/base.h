/**
 * The base of every header: the mark of shared functions, the capacity of layouts, errors, and
 * arithmetic that detects overflow.
 *
 * A shared function compiles unchanged as C11, as a C++17 constant expression and as CUDA host and
 * device code. That is why it is written without compound literals, array designators,
 * uninitialised locals, recursion or goto.
 *
 * Cost:     a few instructions, host and device.
 */
#ifndef CUTLET_ALGEBRA_BASE_H
#define CUTLET_ALGEBRA_BASE_H

#include <stdint.h>

/** The version of the interface. */
#define CT_VERSION_MAJOR 0
#define CT_VERSION_MINOR 1
#define CT_VERSION_PATCH 0
#define CT_VERSION_STRING "0.1.0"

/** The leaves (integers of the flattened shape) that a tuple or layout can hold. A program that
 * calls libcutlet needs the library's number, set by the Meson option `capacity`; any other number
 * does not link (host/capacity.h). The algebra alone takes any from 4 on. */
#ifndef CT_MAX_LEAVES
#define CT_MAX_LEAVES 16
#endif
#if CT_MAX_LEAVES < 4
#error "CT_MAX_LEAVES is below 4: define it as 4 or more, as the Meson option capacity does"
#endif

/* CT_FN marks a shared function, CT_CONST a value that is known when the program is compiled
 * (a constant expression in C++ and CUDA; C has none for structures, so there it is `const`).
 *
 * In CUDA every call is inlined, so that a constant layout leaves no code in the kernel. CT_CALLS,
 * defined before the first header, keeps functions as calls and loops rolled. A kernel of many
 * operations on run-time layouts then compiles in seconds instead of minutes. It needs `-Xcicc
 * -O0`: nvcc 13.0's optimiser miscompiles called functions that take one structure and return
 * another (a stride becomes a shape).
 */
/* clang-format off */
#if defined(__CUDACC__) && defined(CT_CALLS)
#define CT_FN constexpr __host__ __device__ __noinline__
#define CT_CONST constexpr
#define CT_ZERO {}
#elif defined(__CUDACC__)
#define CT_FN constexpr __host__ __device__ __forceinline__
#define CT_CONST constexpr
#define CT_ZERO {}
#elif defined(__cplusplus)
#define CT_FN constexpr inline
#define CT_CONST constexpr
#define CT_ZERO {}
#else
#define CT_FN static inline
#define CT_CONST const
#define CT_ZERO {0}
#endif
/* clang-format on */

/* A conversion of a number: C++ has its own form, for which compilers warn of C's. */
#ifdef __cplusplus
#define CT_CAST(type, value) static_cast<type>(value)
#else
#define CT_CAST(type, value) ((type)(value))
#endif

/* A condition that is rarely true: the compiler moves its branch off the main path. */
#if defined(__GNUC__) && !defined(__CUDACC__)
#define CT_SELDOM(condition) __builtin_expect((condition), 0)
#else
#define CT_SELDOM(condition) (condition)
#endif

/* Visits i = 0 .. n-1, n <= CT_MAX_LEAVES. A macro, because device code needs a different loop:
 * only a constant trip count unrolls. A rolled loop indexes the leaves at run time, which moves the
 * layout to local memory. */
#if defined(__CUDACC__) && !defined(CT_CALLS)
#define CT_FOR(i, n) _Pragma("unroll") for (int i = 0; i < CT_MAX_LEAVES; ++i) if (i < (n))
#else
#define CT_FOR(i, n) for (int i = 0; i < (n); ++i)
#endif

/** What kind of failure a value carries. */
enum {
    CT_OK = 0,
    CT_E_ARGUMENT,  /* an operand is not of the form that the operation takes */
    CT_E_NO_LAYOUT, /* the result is well defined, but no layout is that function */
    CT_E_DOMAIN,    /* an index or coordinate lies outside the domain */
    CT_E_CAPACITY,  /* the result needs more than CT_MAX_LEAVES leaves */
    CT_E_OVERFLOW,  /* a size or offset does not fit in 64 bits */
    CT_E_UNDECIDED  /* exactness could not be shown within CT_MAX_PROOF comparisons */
};

/** The operation that failed; the name that its message begins with. */
enum ct_op {
    /* clang-format off */
    CT_OP_NONE = 0, CT_OP_TUPLE, CT_OP_MODE, CT_OP_UNFLATTEN, CT_OP_GROUP, CT_OP_APPEND,
    CT_OP_PREPEND, CT_OP_REPLACE, CT_OP_SELECT, CT_OP_TAKE, CT_OP_SLICE, CT_OP_DICE,
    CT_OP_CEIL_DIV, CT_OP_SHAPE_DIV, CT_OP_MAKE_LAYOUT, CT_OP_ORDERED, CT_OP_CRD2IDX,
    CT_OP_IDX2CRD, CT_OP_CRD2CRD, CT_OP_COALESCE, CT_OP_FILTER, CT_OP_COMPOSITION,
    CT_OP_COMPLEMENT, CT_OP_RIGHT_INVERSE, CT_OP_LEFT_INVERSE, CT_OP_NULLSPACE, CT_OP_DIVIDE,
    CT_OP_PRODUCT, CT_OP_BLOCKED_PRODUCT, CT_OP_RAKED_PRODUCT, CT_OP_TILE_TO_SHAPE,
    CT_OP_LOCAL_TILE, CT_OP_LOCAL_PARTITION, CT_OP_PARTITION, CT_OP_MAX_COMMON, CT_OP_ALIGNMENT,
    CT_OP_UPCAST, CT_OP_DOWNCAST, CT_OP_RECAST, CT_OP_DISTRIBUTE, CT_OP_SWIZZLE, CT_OP_COMPOSED,
    CT_OP_LAYOUT_ADD, CT_OP_REFINE, CT_OP_COPY_ATOM, CT_OP_TILED_COPY, CT_OP_COTILED_COPY,
    CT_OP_PARTITION_COPY, CT_OP_RETILE, CT_OP_COPY_WIDTH, CT_OP_COSIZE, CT_OP_TILER, CT_OP_OFFSETS,
    CT_OP_TENSOR, CT_OP_NORMALIZE, CT_OP_ELEMENTWISE, CT_OP_MMA_ATOM, CT_OP_TILED_MMA,
    CT_OP_PARTITION_A, CT_OP_PARTITION_B, CT_OP_PARTITION_C, CT_OP_MMA_DESCRIPTOR,
    CT_OP_PREFIX_PRODUCT, CT_OP_SUFFIX_PRODUCT, CT_OP_SORT, CT_OP_COSHAPE, CT_OP_LINEAR,
    /* clang-format on */
    CT_OP_OUTER_PARTITION,
    CT_OP_FRAGMENT,
    CT_OP_GEMM,
    CT_OP_HIER_COORD
};

/** The reason: which sentence explains the failure. The letters in the comments are the numbers of
 *  ct_error that the sentence uses: m = mode, o = other, a b c = n[0] n[1] n[2]. */
enum {
    CT_WHY_NONE = 0,
    CT_WHY_LEAVES,        /* a leaves are needed, the capacity is b */
    CT_WHY_OVERFLOW,      /* mode m: the size or offset does not fit in 64 bits */
    CT_WHY_SHAPE,         /* mode m has shape a; a shape is at least 1 */
    CT_WHY_PROFILE,       /* the operands nest differently at leaf m */
    CT_WHY_RANK,          /* rank a is needed, the operand has rank b */
    CT_WHY_RANK_MORE,     /* the tiler has a modes, the layout only b */
    CT_WHY_MODE,          /* mode m asked for, the rank is a */
    CT_WHY_RANGE,         /* modes a to b asked for, the rank is c */
    CT_WHY_NOT_INTEGER,   /* leaf m is `_` or a basis where an integer is needed */
    CT_WHY_NOT_POSITIVE,  /* a is needed to be at least 1 */
    CT_WHY_COUNT,         /* a leaves are given, the profile has b */
    CT_WHY_COORD,         /* coordinate a of mode m lies outside shape b */
    CT_WHY_INDEX,         /* index a lies outside size b */
    CT_WHY_COORD_PROFILE, /* the coordinate does not fit the shape at leaf m */
    CT_WHY_DIVIDE,        /* mode m: a and b, neither divides the other */
    CT_WHY_SIZES,         /* size a differs from size b */
    CT_WHY_SIZE_DIVIDES,  /* size a is not a multiple of b */
    CT_WHY_STRIDE_CROSSES, /* mode m of B has stride a, c in mode o of A coalesced (size b), which it crosses */
    CT_WHY_SHAPE_CROSSES,   /* mode m of B has shape c, a of it in mode o of A, where b steps fit */
    CT_WHY_CARRY,           /* the modes of B together reach a in mode o of A coalesced (size b) */
    CT_WHY_NEGATIVE,        /* mode m of B reaches the negative index a */
    CT_WHY_BASIS,           /* mode m has the basis stride of a mode that A lacks */
    CT_WHY_BASIS_MIXED,     /* integer and basis strides in one operand */
    CT_WHY_PROOF,           /* size a; at most b comparisons are made */
    CT_WHY_GAP,             /* stride a is not a multiple of b, the extent below it */
    CT_WHY_OVERLAP,         /* stride a is less than b, the extent below it: modes interleave */
    CT_WHY_NEGATIVE_STRIDE, /* mode m has the negative stride a */
    CT_WHY_NO_UNIT,         /* no mode has stride 1 */
    CT_WHY_UPCAST_STRIDE,   /* mode m: stride a and factor b, neither divides the other */
    CT_WHY_UPCAST_SHAPE,    /* mode m: shape a is not a multiple of the b elements per new one */
    CT_WHY_UPCAST_INSIDE,   /* the modes below a new element of b old ones together reach a */
    CT_WHY_ALIGNMENT,       /* mode m: offset a is not a multiple of b */
    CT_WHY_SWIZZLE,         /* Sw<a,b,c> : needs a, b >= 0, |c| >= a, within 63 bits */
    CT_WHY_TILE_DIVIDES,    /* mode m: block size a does not divide the target size b */
    CT_WHY_ATOM,            /* no such atom: kind m, a value bits */
    CT_WHY_TILE_THREADS,    /* of a threads a factor b has no place in the tile */
    CT_WHY_THREADS_OF_TILE, /* a threads, more than the vectors of 16 bytes of a tile of b x b */
    CT_WHY_ELEM_BITS,       /* elements of a bits in a tensor, of b in a partition */
    CT_WHY_MMA_INSTRUCTION, /* an instruction of sm_o has no instruction descriptor */
    CT_WHY_ACCESSES,        /* a accesses, values or words of a thread; a partition holds b */
    CT_WHY_COORD_BITS, /* the coordinates of accesses take a bits with axis m; a partition holds b */
    CT_WHY_REGISTERS,  /* registers hold element a twice, or it is not one of b */
    CT_WHY_TWO_PARTITIONS,  /* the views of a copy are of two partitions, or of none */
    CT_WHY_REPEATS,         /* axis m of a destination repeats each element a times */
    CT_WHY_ATOM_BITS,       /* an access of a bits is not a whole number of values of b bits */
    CT_WHY_THREADS,         /* a threads, the atom needs a multiple of b */
    CT_WHY_VALUES,          /* a values per thread, the atom needs a multiple of b */
    CT_WHY_COVER_TWICE,     /* the thread-value layout reaches tile element a twice */
    CT_WHY_COVER_MISSING,   /* the thread-value layout leaves tile element a out */
    CT_WHY_CONTIGUOUS,      /* the atom moves a values at once, only b lie contiguous */
    CT_WHY_THREAD,          /* thread a asked for, there are b */
    CT_WHY_DEPTH,           /* nested a deep, at most b levels are possible */
    CT_WHY_ADDRESS,         /* side m: its address is a past a multiple of b, its element */
    CT_WHY_MMA_NAME,        /* the name is not written as that of an MMA atom */
    CT_WHY_MMA_SHAPE,       /* sm_o has no MMA instruction of shape a x b x c */
    CT_WHY_MMA_TYPES,       /* sm_o has one of shape a x b x c, for other types or operands */
    CT_WHY_MMA_METADATA,    /* sparse, a x b x c: no text says where its metadata is */
    CT_WHY_MMA_DENSE,       /* the instruction is not sparse and has no metadata */
    CT_WHY_MMA_NO_TMEM,     /* the instruction has no C in tensor memory */
    CT_WHY_MMA_NO_SCALE,    /* it takes no scale factors of that operand, or not there */
    CT_WHY_MMA_SPARSE_K,    /* the tile of k, of a elements, has another order than 0, 1, ... */
    CT_WHY_DESC_OPERAND,    /* operand m of the instruction is not one in shared memory */
    CT_WHY_DESC_MAJOR,      /* mode m is contiguous; sm_o takes elements of a bits along k only */
    CT_WHY_DESC_SWIZZLE,    /* Sw<a,o,c> of elements of m bits is Sw<a,b,c> of bytes: no mode */
    CT_WHY_DESC_NO_SWIZZLE, /* sm_o takes no Sw<a,b,c> of bytes for what mode m is contiguous */
    CT_WHY_DESC_SHORT,      /* swizzled lines of a bytes along k, and an instruction reads b */
    CT_WHY_DESC_PIECES,     /* mode m: element o is a bytes on, and not a multiple of 16 */
    CT_WHY_DESC_RUN,        /* mode m: element o, in a line of c bytes, lies at byte a, not b */
    CT_WHY_DESC_LINES,      /* mode m: line o of those of c bytes lies at byte a, not b */
    CT_WHY_DESC_GROUPS,     /* mode m: element o lies at byte a, not b, by groups of c elements */
    CT_WHY_DESC_FIELD,      /* mode m: a step of a bytes; a field holds 0 to b */
    CT_WHY_COORD_BASIS,     /* leaf m of a coordinate is a basis element */
    CT_WHY_SWIZZLE_BITS,    /* the layout takes the bits of Sw<a,b,c> to those of no swizzle */
    CT_WHY_SWIZZLE_PAST,    /* the swizzle moves an offset to a, past the size b */
    CT_WHY_OFFSET,          /* the tensor begins at offset a, not at 0 */
    CT_WHY_EMPTY_TILE,      /* a tile is the empty layout */
    CT_WHY_NO_TILE,         /* the tiler has no tile, which would be an empty mode */
    CT_WHY_GAP_ALONG,       /* mode m of coordinates: stride a is not a multiple of b */
    CT_WHY_OVERLAP_ALONG,   /* mode m of coordinates: stride a is less than b */
    CT_WHY_BASIS_SHAPE,     /* mode m has the basis stride of a mode that the shape lacks */
    CT_WHY_TWO_SWIZZLES,    /* Sw<a,b,c> after another one is not a single swizzle */
    CT_WHY_SWIZZLE_SUM,     /* what is added to a swizzled offset carries at element a */
    CT_WHY_NOT_POWER,       /* mode m has shape a, not a power of two */
    CT_WHY_NOT_LINEAR,      /* mode m moves bits a of the offset that others move, or carries */
    CT_WHY_NO_SWIZZLE,      /* no one swizzle makes a layout of it */
    CT_WHY_SUM,             /* leaf m has a stride that is a sum of a basis elements */
    CT_WHY_TERMS,           /* leaf m: a sum of a basis elements, of which a stride holds b */
    CT_WHY_TERM,            /* leaf m: a sum has the number a, past b */
    CT_WHY_TERM_MODE,       /* leaf m: a sum names modes 0 to a, in b levels */
    CT_WHY_TERMS_SEPARATE,  /* mode m of B: along several modes of A, whose shapes do not line up */
    CT_WHY_ATOM_ELEM,       /* the bulk reduction of kind a takes no elements of type b */
    CT_WHY_NO_OFFSET,       /* no coordinate has the offset a; offsets lie from b to c */
    CT_WHY_THREAD_GAP,      /* thread a lies between threads, which lie from b to c */
    CT_WHY_THREAD_PAST,     /* thread a lies outside the threads, which lie from b to c */
    CT_WHY_MMA_PARTS,       /* a atoms along k each hold a part of the sums of C */
    CT_WHY_MMA_IDLE,        /* thread a of b has no atom, and would reach past the tile */
    CT_WHY_BITS_TURN,       /* source and destination differ in the order of elements of a bits */
    CT_WHY_SPACE,           /* side m of a copy: a view of memory a, where b is needed */
    CT_WHY_HELD_TWICE,      /* threads hold a elements of a row of b along axis m */
    CT_WHY_ROW_THREADS,     /* a threads, b apart, have parts of a row along axis m */
    CT_WHY_PART,            /* parts of extent a along axis m are no pieces of registers */
    CT_WHY_FRAGMENT,        /* a register tensor of a values, where b of another order are needed */
    CT_WHY_VALUE_TYPE,      /* the elements of type a are not read as b */
    CT_WHY_ROW_WARPS,       /* a reduction needs a floats of shared memory and has b */
    CT_WHY_LANES,           /* element a of a register tensor of b is in another thread */
    CT_WHY_STAGES,       /* stages of mode m are a bytes apart, where a multiple of b is needed */
    CT_WHY_MMA_PERMUTED, /* a permutation of mode m that an instruction of a elements cannot have */
    CT_WHY_MMA_GROUPS,   /* warpgroup b begins a bytes after the first, not where the steps lead */
    CT_WHY_MMA_TYPE,     /* operand m in registers of type a, where type b is needed */
    CT_WHY_MMA_OPERANDS, /* A in memory a and B in memory b, which the instruction does not read */
    CT_WHY_SWIZZLE_BASE, /* Sw<a,b,c> of elements 2^m times as large: needs b >= m */
    CT_WHY_NO_PREDICATE, /* atom a tests no access of elements of b bits by its coordinates */
    CT_WHY_ACCESS_PAST,  /* axis m of the tile ends, after a elements, inside an access of b */
    CT_WHY_INDEXED,      /* axis m of the tile cannot have an index */
    CT_WHY_ATOM_HOLDS,   /* a side of an atom holds a elements, and its registers b */
    CT_WHY_ATOM_THREADS, /* a side of an atom has a threads, and its registers b */
    CT_WHY_ATOM_OWN,     /* an atom of layouts, for which no instruction is known */
    CT_WHY_IN_PLACE,     /* a destination begins a bytes after a source whose memory it overlaps */
    CT_WHY_IN_PLACE_LOADS, /* loads of b bytes of a tensor that is aligned to a, and changed in place */
    CT_WHY_REPEATED        /* axis m of a source that should repeat has a step of a bytes */
};

/** A failure as a value: the operation, the reason, and its numbers. */
typedef struct ct_error {
    int32_t status; /* CT_OK or CT_E_... */
    int32_t op;     /* CT_OP_... */
    int32_t why;    /* CT_WHY_... */
    int32_t mode;   /* the mode that the reason names */
    int32_t other;  /* the second mode, where there is one */
    int64_t n[3];   /* the numbers */
} ct_error;

/** The value that integer functions return when they fail. */
#define CT_INVALID INT64_MIN

/* A build with CT_CHECKED ends where a failed layout is asked for a number: its size, cosize, lowest offset, or
 * the offset of an index. On the host it says so first. In a constant expression it does not compile. */
#if !defined(CT_CHECKED)
#define CT_CHECK_MADE(error) ((void)0)
#elif defined(__CUDA_ARCH__)
#define CT_CHECK_MADE(error) ((error).status ? __trap() : (void)0)
#else
#include <stdio.h>
/** @internal Says what failed, and ends the program. */
static inline void ct_end_unmade(ct_error e)
{
    fprintf(
        stderr,
        "cutlet: a failed layout is used as a number (operation %d, reason %d, mode %d: %lld, %lld); "
        "ct_error_message gives the sentence of its err\n",
        (int)e.op, (int)e.why, (int)e.mode, (long long)e.n[0], (long long)e.n[1]);
    __builtin_trap();
}
#define CT_CHECK_MADE(error) ((error).status ? ct_end_unmade(error) : (void)0)
#endif

/** The most positions that are compared when exactness has no shorter proof. */
#ifndef CT_MAX_PROOF
#define CT_MAX_PROOF 65536
#endif

/** @internal An error from its parts. */
CT_FN ct_error ct_make_error(int32_t status, int32_t op, int32_t why, int32_t mode, int64_t a,
                             int64_t b)
{
    ct_error e = CT_ZERO;
    e.status = status;
    e.op = op;
    e.why = why;
    e.mode = mode;
    e.n[0] = a;
    e.n[1] = b;
    return e;
}

/**
 * a * b; on overflow *ok becomes 0 and the result is 0.
 * In C:     int ok = 1;
 *           assert(ct_mul(3, 5, &ok) == 15 && ok);
 *           assert(ct_mul(INT64_MAX, 2, &ok) == 0 && !ok);
 */
CT_FN int64_t ct_mul(int64_t a, int64_t b, int *ok)
{
#if defined(__GNUC__) && !defined(__CUDACC__)
    int64_t r = 0;
    if (__builtin_mul_overflow(a, b, &r)) {
        *ok = 0;
        return 0;
    }
    return r;
#else
    if (a == 0 || b == 0) return 0;
    /* The common case, |a| <= 2^31 and |b| <= 2^31, needs no division. */
    if (a < -2147483647 || a > 2147483647 || b < -2147483647 || b > 2147483647) {
        const int64_t limit = (a > 0) == (b > 0) ? INT64_MAX : INT64_MIN;
        int bad = 0;
        if (b == -1) bad = a == INT64_MIN;
        else if (a == -1) bad = b == INT64_MIN;
        else if (a > 0) bad = b > 0 ? a > limit / b : b < limit / a;
        else bad = b > 0 ? a < limit / b : a < limit / b;
        if (bad) {
            *ok = 0;
            return 0;
        }
    }
    return a * b;
#endif
}

/**
 * a + b; on overflow *ok becomes 0 and the result is 0.
 * In C:     int ok = 1;
 *           assert(ct_add(3, 5, &ok) == 8 && ok);
 *           assert(ct_add(INT64_MAX, 1, &ok) == 0 && !ok);
 */
CT_FN int64_t ct_add(int64_t a, int64_t b, int *ok)
{
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b)) {
        *ok = 0;
        return 0;
    }
    return a + b;
}

/** @internal |a|, for a > INT64_MIN. */
CT_FN int64_t ct_abs(int64_t a) { return a < 0 ? -a : a; }

/**
 * The smaller of two.
 * In C:     assert(ct_min(3, -5) == -5);
 */
CT_FN int64_t ct_min(int64_t a, int64_t b) { return a < b ? a : b; }

/**
 * The larger of two.
 * In C:     assert(ct_max(3, -5) == 3);
 */
CT_FN int64_t ct_max(int64_t a, int64_t b) { return a > b ? a : b; }

/** @internal -1, 0 or 1. */
CT_FN int64_t ct_signum(int64_t a) { return (a > 0) - (a < 0); }

/**
 * a / b rounded up, for a >= 0 and b >= 1.
 * In C:     assert(ct_ceil_div_int(7, 4) == 2 && ct_ceil_div_int(8, 4) == 2);
 */
CT_FN int64_t ct_ceil_div_int(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/**
 * The greatest common divisor, >= 0; gcd(0, a) = |a|.
 * Cost:     the steps of Euclid's algorithm: O(log of the smaller number).
 * In C:     assert(ct_gcd(12, -18) == 6 && ct_gcd(0, 5) == 5);
 */
CT_FN int64_t ct_gcd(int64_t a, int64_t b)
{
    a = ct_abs(a);
    b = ct_abs(b);
    while (b != 0) {
        const int64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/** @internal The largest power of two that divides n, at most `most`; `most` for n = 0. */
CT_FN int64_t ct_power_of_two(int64_t n, int64_t most)
{
    int64_t p = 1;
    while (p < most && (n == 0 || n % (2 * p) == 0)) p *= 2;
    return p;
}

#endif
