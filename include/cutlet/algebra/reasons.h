/**
 * The sentences that explain a failure: for messages on the host, and for compile errors of a
 * failed constant in a kernel.
 *
 * A list to include, any number of times, after its three macros are defined; it undefines them.
 * One sentence a line, for a compiler shows the line. In a sentence %m is the mode, %o the other
 * one, %a %b %c the numbers of ct_error, %x is b - 1.
 */
/* clang-format off */
#include <cutlet/algebra/base.h>

#if !defined(CT_REASON)
#define CT_REASON(why, text)
#define CT_REASON_OF(op, why, text)
#define CT_REASON_OF_SIDE(op, why, mode, text)
#endif

CT_REASON(CT_WHY_LEAVES,
          "%a leaves are needed, and the capacity is %b; the Meson option capacity (macro "
          "CT_MAX_LEAVES) raises it")
CT_REASON(CT_WHY_OVERFLOW, "mode %m: the size or an offset does not fit in 64 bits")
CT_REASON(CT_WHY_SHAPE, "mode %m has shape %a; a shape is at least 1")
CT_REASON(CT_WHY_PROFILE,
          "the operands nest differently at leaf %m; both need the same parentheses")
CT_REASON(CT_WHY_RANK, "rank %a is needed, and the operand has rank %b")
CT_REASON(CT_WHY_RANK_MORE,
          "the tiler has %a modes, and the layout only %b; leave the last ones out")
CT_REASON(CT_WHY_MODE, "there is no mode %m; the operand has rank %a, and modes count from 0")
CT_REASON(CT_WHY_RANGE,
          "modes %a to %b, excluding %b, are not a range of the operand's %c modes")
CT_REASON(CT_WHY_NOT_INTEGER, "leaf %m is `_` or a basis element where an integer is needed")
CT_REASON(CT_WHY_NOT_POSITIVE, "%a is given, and at least 1 is needed")
CT_REASON(CT_WHY_COUNT, "%a leaves are given, and the profile has %b")
CT_REASON(CT_WHY_COORD, "coordinate %a of mode %m is out of bounds; size %b allows 0 to %x")
CT_REASON(CT_WHY_INDEX, "index %a is out of bounds; size %b allows 0 to %x")
CT_REASON(CT_WHY_COORD_PROFILE,
          "the coordinate does not fit the shape at leaf %m; a mode takes an index, or a "
          "coordinate that nests as it does")
CT_REASON(CT_WHY_DIVIDE, "mode %m: of %a and %b, neither divides the other")
CT_REASON(CT_WHY_SIZES, "the sizes %a and %b differ, and must be equal")
CT_REASON(CT_WHY_SIZE_DIVIDES, "the size %a is not a multiple of %b")
CT_REASON(CT_WHY_STRIDE_CROSSES,
          "mode %m of B has stride %a: steps of %c in mode %o of A coalesced (size %b) cross its end; they must "
          "divide %b, or be a multiple of it")
CT_REASON(CT_WHY_SHAPE_CROSSES,
          "mode %m of B has shape %c: of %a steps mode %o of A coalesced takes %b at a time, and %a is not a "
          "multiple of %b; the last end inside the next mode")
CT_REASON(CT_WHY_CARRY,
          "the modes of B together reach %a in mode %o of A coalesced (size %b); they carry into the next "
          "mode, which no layout does (mode %m of B is the last one there)")
CT_REASON(CT_WHY_NEGATIVE, "mode %m of B reaches the negative index %a, outside the domain of A")
CT_REASON(CT_WHY_BASIS, "mode %m of B has the basis stride of a mode that A lacks")
CT_REASON(CT_WHY_BASIS_MIXED,
          "integer and basis strides, or basis strides of different levels, meet in one operand "
          "(leaf %m)")
CT_REASON(CT_WHY_PROOF,
          "size %a: proving the result exact takes more than %b comparisons; the macro "
          "CT_MAX_PROOF raises the limit")
CT_REASON(CT_WHY_GAP,
          "stride %a is not a multiple of %b, the extent below it; the gap between them has no "
          "layout")
CT_REASON(CT_WHY_OVERLAP,
          "stride %a is less than %b, the extent below it; the modes interleave or overlap")
CT_REASON(CT_WHY_NEGATIVE_STRIDE,
          "mode %m has the negative stride %a; strides of at least 0 are needed")
CT_REASON(CT_WHY_NO_UNIT, "no mode has stride 1, along which to split an element")
CT_REASON(CT_WHY_UPCAST_STRIDE,
          "mode %m has stride %a, and the factor is %b; one must divide the other")
CT_REASON(CT_WHY_UPCAST_INSIDE,
          "the modes within a new element of %b old ones together reach %a of them; they would "
          "overlap the next element")
CT_REASON(CT_WHY_UPCAST_SHAPE,
          "mode %m has shape %a, not a multiple of the %b elements that make a new one")
CT_REASON(CT_WHY_ALIGNMENT, "mode %m reaches offset %a, which is not a multiple of %b")
CT_REASON(CT_WHY_SWIZZLE,
          "Sw<%a,%b,%c> is not a swizzle; Sw<bits,base,shift> needs bits and base of at least 0, "
          "|shift| >= bits, and bits + base + |shift| of at most 62")
CT_REASON(CT_WHY_TILE_DIVIDES, "mode %m: the block size %a does not divide the target size %b")
CT_REASON(CT_WHY_ATOM, "there is no such atom of %a (bits, or matrices) with values of %b bits")
CT_REASON(CT_WHY_TILE_THREADS, "%a threads do not divide the tile: none of its modes takes the "
                               "factor %b")
CT_REASON(CT_WHY_THREADS_OF_TILE, "%a threads are more than the vectors of 16 bytes of a tile of %b x %b")
CT_REASON(CT_WHY_ELEM_BITS, "the tensor has elements of %a bits, and the partition of %b bits")
CT_REASON(CT_WHY_MMA_INSTRUCTION,
          "only dense tcgen05.mma without scales has an instruction descriptor, and this is another instruction, of sm_%o")
CT_REASON(CT_WHY_NO_PREDICATE,
          "only loads, stores and cp.async of whole bytes, checked and aligned, are tested by their coordinates; this "
          "is atom %a with elements of %b bits")
CT_REASON(CT_WHY_ACCESS_PAST,
          "axis %m of the tile ends after %a elements, inside an access of %b; give the atom or the side narrower ones")
CT_REASON(CT_WHY_INDEXED,
          "axis %m has no index: that takes a tile in global memory of a predicated partition, and an axis along which "
          "no access lies")
CT_REASON(CT_WHY_ACCESSES,
          "a thread has %a accesses, values or words of registers, and a partition holds %b")
CT_REASON(CT_WHY_COORD_BITS,
          "with axis %m the coordinates of a thread's accesses take %a bits, and a partition holds %b")
CT_REASON(CT_WHY_REGISTERS,
          "the layout of the registers does not give each of %b values an element of its own: element %a")
CT_REASON(CT_WHY_TWO_PARTITIONS,
          "the sides of the copy have different partitions, or none; name one: ct_copy(&P, src, "
          "dst)")
CT_REASON(CT_WHY_SPACE,
          "side %m of the copy (0 is the source, 1 the destination) is a view of memory %a, and the partition has "
          "memory %b there (0 is global, 1 shared, 2 registers, 3 a tensor map)")
CT_REASON(CT_WHY_HELD_TWICE,
          "axis %m: the threads hold %a elements of each row of %b, and a reduction needs each once")
CT_REASON(CT_WHY_ROW_THREADS,
          "axis %m: %a threads, %b apart, have parts of each row, and a reduction needs powers of two")
CT_REASON(CT_WHY_PART,
          "parts of extent %a along axis %m are not consecutive elements of each thread's registers")
CT_REASON(CT_WHY_FRAGMENT,
          "the register tensor has %a values of a thread, not the %b that are needed, or has them in another order")
CT_REASON(CT_WHY_VALUE_TYPE,
          "elements of type %a (CT_TYPE_...) have no value of this kind; ct_val is of floats and of up to 16 bits, "
          "ct_val_s32 of integers, ct_val_f64 of doubles")
CT_REASON(CT_WHY_ROW_WARPS,
          "several warps have parts of each row; give ct_reduce shared memory, %a floats (ct_reduce_elems)")
CT_REASON(CT_WHY_STAGES,
          "mode %m of the layout in shared memory, its stages, needs one step, a multiple of %b bytes, and has %a (0: no one step)")
CT_REASON(CT_WHY_MMA_PERMUTED,
          "the tiled MMA permutes mode %m so that the %a elements of an instruction are not consecutive, or not alike in "
          "all warpgroups; an instruction that reads shared memory by a descriptor needs both")
CT_REASON(CT_WHY_MMA_GROUPS,
          "mode %m: the part of warpgroup %b begins %a bytes after the first one's, and the steps to warpgroups 1, 2 and 4 have another sum")
CT_REASON(CT_WHY_MMA_TYPE,
          "operand %m (0 is A, 1 B, 2 C) is a register tensor of type %a, and the instruction has type %b (CT_TYPE_...)")
CT_REASON(CT_WHY_MMA_OPERANDS,
          "the instruction does not read A from memory %a and B from memory %b (0 is global, 1 shared, 2 registers)")
CT_REASON(CT_WHY_LANES, "element %a of the register tensor is another thread's in the other one")
CT_REASON(CT_WHY_REPEATED, "axis %m of the source has a step of %a bytes, and ct_partition_repeated says 0")
CT_REASON(CT_WHY_REPEATS, "axis %m repeats each element %a times, which a destination must not")
CT_REASON(CT_WHY_ATOM_BITS, "an access of %a bits is not a whole number of values of %b bits")
CT_REASON(CT_WHY_ATOM_ELEM,
          "atom %a, a bulk reduction, takes no elements of type %b (CT_ELEM_...): sums are of U32, S32, "
          "U64, F16, BF16, F32 and F64, minima and maxima of U32, S32, U64, S64, F16 and BF16; "
          "ct_copy_atom_reduction takes the type")
CT_REASON(CT_WHY_ATOM_HOLDS, "a side of the atom holds %a elements, and its other layouts %b")
CT_REASON(CT_WHY_ATOM_THREADS, "a side of the atom has %a threads, and its registers %b")
CT_REASON(CT_WHY_ATOM_OWN,
          "the atom is made of layouts, and no instruction is known that a kernel could execute")
CT_REASON(CT_WHY_IN_PLACE,
          "the destination overlaps the source, and begins %a bytes after it; in place each element lies where it was")
CT_REASON(CT_WHY_IN_PLACE_LOADS,
          "a tensor aligned to %a bytes is not changed in place by loads of %b, which read their neighbours' bytes; "
          "give the side narrower ones, or a predicated partition")
CT_REASON(CT_WHY_THREADS, "there are %a threads, and the atom needs a multiple of %b")
CT_REASON(CT_WHY_VALUES, "each thread has %a values, and the atom needs a multiple of %b")
CT_REASON(CT_WHY_COVER_TWICE, "the thread and value layouts reach element %a of the tile twice")
CT_REASON(CT_WHY_COVER_MISSING, "the thread and value layouts miss element %a of the tile")
CT_REASON(CT_WHY_CONTIGUOUS, "the atom moves %a values at once, and only %b are contiguous")
CT_REASON(CT_WHY_THREAD, "there is no thread %a; there are %b threads, 0 to %x")
CT_REASON(CT_WHY_BITS_TURN,
          "elements of %a bits keep their order in a copy, and the source and the destination have those "
          "of a thread in different orders")
CT_REASON(CT_WHY_NO_OFFSET, "no coordinate has offset %a; the layout's offsets lie from %b to %c")
CT_REASON(CT_WHY_THREAD_GAP, "there is no thread %a; it is in a gap of the threads, which lie from %b to %c")
CT_REASON(CT_WHY_THREAD_PAST, "there is no thread %a; the threads lie from %b to %c")
CT_REASON(CT_WHY_DEPTH, "nested %a deep; at most %b levels are possible")
CT_REASON(CT_WHY_COORD_BASIS, "leaf %m is a basis element; a coordinate takes integers and `_`")
CT_REASON(CT_WHY_SWIZZLE_BITS, "the layout does not map the bits of Sw<%a,%b,%c> to those of "
                               "another swizzle, so the result is not a tensor")
CT_REASON(CT_WHY_SWIZZLE_BASE,
          "Sw<%a,%b,%c> has base %b; for elements 2^%m times as large it needs a base of at least %m")
CT_REASON(CT_WHY_SWIZZLE_PAST, "the swizzle moves an offset to %a, past the %b that the inverse of the layout reaches")
CT_REASON(CT_WHY_OFFSET, "the tensor begins at offset %a; only one that begins at 0 has an inverse")
CT_REASON(CT_WHY_EMPTY_TILE, "an empty layout is not a tile; `_` leaves a mode alone")
CT_REASON(CT_WHY_NO_TILE, "the tiler has no tile; the tiles would be an empty mode, and a layout has none")
CT_REASON(CT_WHY_ADDRESS, "an address is %a past a multiple of %b, the bytes of an element")
CT_REASON(CT_WHY_MMA_NAME, "the name is not that of an MMA atom, such as SM80_16x8x16_F32F16F16F32_TN")
CT_REASON(CT_WHY_MMA_SHAPE, "sm_%o has no MMA instruction of shape %a x %b x %c by that kind")
CT_REASON(CT_WHY_MMA_TYPES,
          "the MMA instruction of shape %a x %b x %c of sm_%o has no variant with these types "
          "and operands")
CT_REASON(CT_WHY_MMA_METADATA,
          "tcgen05.mma.sp of shape %a x %b x %c has 64 rows a block; the places of its metadata "
          "are published only as figures, so only 128 rows a block are supported")
CT_REASON(CT_WHY_MMA_DENSE, "the instruction is not sparse, and only sparse ones have metadata (E)")
CT_REASON(CT_WHY_MMA_NO_TMEM, "only tcgen05.mma has C in tensor memory, and this is another instruction")
CT_REASON(CT_WHY_MMA_NO_SCALE,
          "scale factors of A and B are in tensor memory for tcgen05.mma, in registers for mma.sync, and this instruction has none there")
CT_REASON(CT_WHY_MMA_SPARSE_K,
          "the permutation of k reorders its %a elements, and A of a sparse atom stores half of "
          "them; give k a size, such as <_,_,%a>")
CT_REASON(CT_WHY_MMA_PARTS,
          "each of the %a atoms along k holds a part of every sum of C; a copy takes one atom along k")
CT_REASON(CT_WHY_MMA_IDLE,
          "a copy takes threads 0 to %x, and thread %a carries out no atom; it would reach past the tile")
CT_REASON(CT_WHY_DESC_OPERAND,
          "only A and B in shared memory of wgmma and tcgen05.mma are read by a descriptor, and operand %m (0 is A, 1 is B, 2 is C) of this instruction is not")
CT_REASON(CT_WHY_DESC_MAJOR,
          "mode %m, along m or n, is contiguous, and sm_%o reads elements of %a bits only with k contiguous")
CT_REASON(CT_WHY_DESC_SWIZZLE,
          "Sw<%a,%o,%c> of elements of %m bits is Sw<%a,%b,%c> of bytes, and the hardware has Sw<1,4,3>, Sw<2,4,3>, Sw<3,4,3> and, for 32 bits along m or n on sm_100, Sw<2,5,2> of bytes")
CT_REASON(CT_WHY_DESC_NO_SWIZZLE,
          "sm_%o does not read elements of this type, contiguous in mode %m, by Sw<%a,%b,%c> of bytes; Sw<2,5,2> is for 32 bits along m or n on sm_100, which have no other")
CT_REASON(CT_WHY_DESC_SHORT,
          "the swizzle's rows have %a bytes along k, and one instruction reads %b of a row")
CT_REASON(CT_WHY_DESC_PIECES,
          "mode %m: element %o is %a bytes from element 0, and the hardware reads 16-byte chunks "
          "at multiples of 16")
CT_REASON(CT_WHY_DESC_RUN,
          "mode %m: element %o is %a bytes from element 0, and in a row of %c bytes it must be "
          "at byte %b")
CT_REASON(CT_WHY_DESC_LINES,
          "mode %m: element %o is %a bytes from element 0, and consecutive rows of %c bytes have "
          "it at byte %b")
CT_REASON(CT_WHY_DESC_GROUPS,
          "mode %m: element %o is %a bytes from element 0, and groups of %c elements at one "
          "stride have it at byte %b")
CT_REASON(CT_WHY_DESC_FIELD,
          "mode %m: a step of %a bytes does not fit into a field of the descriptor, which holds 0 to %b")
CT_REASON(CT_WHY_GAP_ALONG,
          "along mode %m of the coordinates, stride %a is not a multiple of %b, the extent below it")
CT_REASON(CT_WHY_OVERLAP_ALONG,
          "along mode %m of the coordinates, stride %a is less than %b, the extent below it; the modes interleave or overlap")
CT_REASON(CT_WHY_BASIS_SHAPE, "mode %m has the basis stride of a mode that the shape lacks")
CT_REASON(CT_WHY_TWO_SWIZZLES, "Sw<%a,%b,%c> after the other swizzle is not a single swizzle, "
                               "and a tensor has one")
CT_REASON(CT_WHY_SWIZZLE_SUM, "what is added to the offsets of the inner swizzle carries at "
                              "element %a, so the result is not a tensor")
CT_REASON(CT_WHY_NOT_POWER, "mode %m has shape %a, which is not a power of two")
CT_REASON(CT_WHY_NOT_LINEAR, "mode %m moves the bits %a of the offset, which others move too, "
                             "so the sum carries, which no XOR does")
CT_REASON(CT_WHY_SUM,
          "leaf %m has a stride that is a sum of %a basis elements, and one is needed")
CT_REASON(CT_WHY_TERMS,
          "leaf %m: the stride is a sum of %a basis elements, and at most %b are possible")
CT_REASON(CT_WHY_TERM,
          "leaf %m: a sum of basis elements has the number %a, and at most %b is possible")
CT_REASON(CT_WHY_TERM_MODE,
          "leaf %m: a sum of basis elements names another mode than 0 to %a, or more than %b levels of "
          "modes")
CT_REASON(CT_WHY_TERMS_SEPARATE,
          "mode %m of B steps along several modes of A at once, whose shapes do not line up")
CT_REASON(CT_WHY_NO_SWIZZLE, "no single swizzle of a layout equals it")

/* Sentences for one operation. */
CT_REASON_OF(CT_OP_LOCAL_PARTITION, CT_WHY_COVER_TWICE, "the thread layout reaches thread %a twice")
CT_REASON_OF(CT_OP_TENSOR, CT_WHY_PROFILE,
             "axis %m begins a mode of the tensor or of the tile, but not of both; nest the tile as the tensor is")
CT_REASON_OF(CT_OP_TENSOR, CT_WHY_DEPTH,
             "axis %m is nested %a levels deep; a tensor in memory keeps at most %b")
CT_REASON_OF(CT_OP_TENSOR, CT_WHY_SWIZZLE,
             "global memory takes no swizzle, and the tensor has Sw<%a,%b,%c>")
CT_REASON_OF(CT_OP_TENSOR, CT_WHY_COORD,
             "tile %a along axis %m is not in shared memory, whose layout in the partition has %b there at one step of whole accesses")
CT_REASON_OF(CT_OP_TENSOR, CT_WHY_TILE_DIVIDES,
             "a tile in shared memory begins at coordinate %a of axis %m, not at a multiple of its extent %b")
CT_REASON_OF(CT_OP_TENSOR, CT_WHY_THREAD,
             "a thread's part has no tiles; take the tile of the tile first, then the thread's part of it")
CT_REASON_OF(CT_OP_TENSOR, CT_WHY_REGISTERS,
             "registers hold a thread's part of one tile, and no other tile")
CT_REASON_OF(CT_OP_TENSOR, CT_WHY_NEGATIVE,
             "the tile's coordinate %a along axis %m is negative; a tile of a tensor begins at coordinate 0 or later")
CT_REASON_OF(CT_OP_TENSOR, CT_WHY_INDEX,
             "the tile is at coordinate %a of axis %m, which it does not extend along; the tensor has %b there")
CT_REASON_OF(CT_OP_TENSOR, CT_WHY_THREADS,
             "the tiled copy has %a threads, the block %b along x; for other threads, ct_view_src and ct_view_dst take a thread's number")
CT_REASON_OF_SIDE(CT_OP_TENSOR, CT_WHY_TWO_PARTITIONS, 2,
                  "the source of the copy is a thread's part of the partition's destination; ct_view_src takes one of its source")
CT_REASON_OF_SIDE(CT_OP_TENSOR, CT_WHY_TWO_PARTITIONS, 3,
                  "the destination of the copy is a thread's part of the partition's source; ct_view_dst takes one of its destination")
CT_REASON_OF_SIDE(CT_OP_TENSOR, CT_WHY_TWO_PARTITIONS, 1,
                  "the next tile of a part in shared memory is of the partition that the part is of")
CT_REASON_OF(CT_OP_PARTITION_COPY, CT_WHY_TILE_DIVIDES,
             "mode %m of the layout in shared memory has %a elements, and the tile has %b there")
CT_REASON_OF(CT_OP_MAKE_LAYOUT, CT_WHY_PROFILE,
             "shape and stride nest differently at leaf %m; both need the same parentheses")
CT_REASON_OF(CT_OP_COMPOSED, CT_WHY_NEGATIVE,
             "offset %a is negative; a swizzle takes offsets of at least 0")
CT_REASON_OF(CT_OP_UPCAST, CT_WHY_ALIGNMENT, "the tensor begins at offset %a, which is not a multiple of %b")
CT_REASON_OF(CT_OP_UPCAST, CT_WHY_NOT_POWER, "the factor %a is not a power of two, as a swizzle needs")
CT_REASON_OF(CT_OP_COPY_WIDTH, CT_WHY_NOT_POWER, "the largest width, %a bytes, is not a power of two")
CT_REASON_OF(CT_OP_DOWNCAST, CT_WHY_NOT_POWER, "the factor %a is not a power of two, as a swizzle needs")
CT_REASON_OF(CT_OP_PARTITION_COPY, CT_WHY_SIZE_DIVIDES,
             "mode %m of the tile has %a elements, not a multiple of the %b that the tiled copy covers")
CT_REASON_OF(CT_OP_PARTITION_COPY, CT_WHY_SHAPE,
             "axis %m of the tile has %a elements; 1 to 2147483647 are possible")
CT_REASON_OF(CT_OP_PARTITION_COPY, CT_WHY_THREADS,
             "the tiled copy has %a threads; at most 2147483647 are possible")
CT_REASON_OF(CT_OP_TUPLE, CT_WHY_COORD_PROFILE, "the text is not a layout of integers at byte %m")
CT_REASON_OF(CT_OP_CEIL_DIV, CT_WHY_NOT_POSITIVE, "leaf %m: %a is given, and at least 1 is needed")
CT_REASON_OF(CT_OP_SHAPE_DIV, CT_WHY_NOT_POSITIVE, "leaf %m: %a is given, and at least 1 is needed")
CT_REASON_OF(CT_OP_TILE_TO_SHAPE, CT_WHY_RANK_MORE, "the block has %a modes, and the shape only %b")
CT_REASON_OF(CT_OP_COTILED_COPY, CT_WHY_COVER_MISSING,
             "threads and values reach a range of %a addresses, not each of which is one of the %b of the data")
CT_REASON_OF(CT_OP_COMPOSITION, CT_WHY_OFFSET,
             "the offset at which the inner tensor begins carries at its element %a, so the result is not a tensor")
CT_REASON_OF(CT_OP_LAYOUT_ADD, CT_WHY_SHAPE_CROSSES,
             "the modes of the two layouts have only %a of %b elements in common, so no layout is the sum")
CT_REASON_OF(CT_OP_NORMALIZE, CT_WHY_LEAVES, "%a modes are needed, and at most %b are possible")
CT_REASON_OF(CT_OP_NORMALIZE, CT_WHY_SIZES, "side %m has %a elements, and side 0 has %b")
CT_REASON_OF(CT_OP_NORMALIZE, CT_WHY_DIVIDE,
             "the shapes of sides %m and %o have no common refinement: of %a and %b elements, neither divides the other")
CT_REASON_OF(CT_OP_NORMALIZE, CT_WHY_OVERFLOW, "side %m: an offset in bytes does not fit in 64 bits")
CT_REASON_OF(CT_OP_NORMALIZE, CT_WHY_NOT_INTEGER, "side %m has `_` or a basis stride where integers are needed")
CT_REASON_OF(CT_OP_NORMALIZE, CT_WHY_NOT_POSITIVE, "side %m has elements of %a bytes; they have at least 1")
CT_REASON_OF(CT_OP_TILED_MMA, CT_WHY_SIZE_DIVIDES,
             "mode %m (0 is m, 1 is n, 2 is k) of the permutation has %a elements; atom and threads cover %b at once, and a multiple is needed")
CT_REASON_OF(CT_OP_TILED_MMA, CT_WHY_NOT_INTEGER,
             "mode %m (0 is m, 1 is n, 2 is k, 3 the atoms) has a basis stride where integers are needed")
CT_REASON_OF_SIDE(CT_OP_TILED_MMA, CT_WHY_NEGATIVE_STRIDE, 3,
                  "the layout of the atoms has the negative stride %a; atoms count from 0")
CT_REASON_OF(CT_OP_TILED_MMA, CT_WHY_NEGATIVE_STRIDE,
             "mode %m (0 is m, 1 is n, 2 is k) of the permutation has the negative stride %a; elements count from 0")
CT_REASON_OF_SIDE(CT_OP_TILED_MMA, CT_WHY_COVER_TWICE, 3, "the layout of the atoms reaches atom %a twice")
CT_REASON_OF_SIDE(CT_OP_TILED_MMA, CT_WHY_COVER_MISSING, 3, "the layout of the atoms misses atom "
                                                            "%a")
CT_REASON_OF(CT_OP_TILED_MMA, CT_WHY_COVER_TWICE, "mode %m (0 is m, 1 is n, 2 is k) of the permutation reaches element %a twice")
CT_REASON_OF(CT_OP_TILED_MMA, CT_WHY_COVER_MISSING, "mode %m (0 is m, 1 is n, 2 is k) of the "
                                                    "permutation misses element %a")
CT_REASON_OF(CT_OP_FRAGMENT, CT_WHY_ELEM_BITS, "the register tensor has elements of %a bits, and elements of %b bits are needed")
CT_REASON_OF(CT_OP_GEMM, CT_WHY_RANK, "a tile has %a extents, of m, n and k, and this one has %b")
CT_REASON_OF(CT_OP_GEMM, CT_WHY_SIZE_DIVIDES,
             "mode %m (0 is m, 1 is n, 2 is k) of the tile has %a elements, not a multiple of the %b that the tiled MMA covers")
CT_REASON_OF(CT_OP_GEMM, CT_WHY_SIZES, "mode %m (0 is m, 1 is n, 2 is k) has %a elements in shared memory, and %b in the tile")
CT_REASON_OF(CT_OP_GEMM, CT_WHY_ACCESSES,
             "a warpgroup has %a descriptors along k and mode %m (0 is m, 1 is n), and a product holds %b")
CT_REASON_OF(CT_OP_GEMM, CT_WHY_MMA_INSTRUCTION,
             "the instruction is sparse or scaled, and a product has no operand for its metadata or its scales")
CT_REASON_OF(CT_OP_GEMM, CT_WHY_MMA_IDLE,
             "a product by tcgen05.mma has one instruction of one block along m and n, and this one has %a, of %b blocks")
CT_REASON_OF(CT_OP_TILED_MMA, CT_WHY_RANK, "at most %a modes, m, n and k, are possible, and %b are given")
CT_REASON_OF(CT_OP_MMA_DESCRIPTOR, CT_WHY_RANK, "the tile has rank %b, and an operand has rank 2: m or n, and k")
CT_REASON_OF(CT_OP_MMA_DESCRIPTOR, CT_WHY_NOT_INTEGER, "the tile has basis strides where integers are needed")
CT_REASON_OF(CT_OP_MMA_DESCRIPTOR, CT_WHY_SIZE_DIVIDES, "mode %m has %a elements, not a multiple of the %b that one instruction reads")
CT_REASON_OF(CT_OP_MMA_DESCRIPTOR, CT_WHY_CONTIGUOUS, "neither mode has %a contiguous elements, "
                                                      "the 16-byte chunk that the hardware reads")
CT_REASON_OF(CT_OP_MMA_DESCRIPTOR, CT_WHY_ALIGNMENT, "the tile begins at element %a, not at a multiple of the %b elements of 16 bytes")
CT_REASON_OF(CT_OP_MMA_DESCRIPTOR, CT_WHY_INDEX, "the tile reaches byte %a, and a descriptor names bytes 0 to %x")
CT_REASON_OF(CT_OP_MMA_DESCRIPTOR, CT_WHY_ADDRESS, "the address is %a past a multiple of %b, at which the tile must begin")
CT_REASON_OF(CT_OP_MMA_DESCRIPTOR, CT_WHY_TILE_DIVIDES, "no swizzle row of this instruction "
                                                        "divides the %a bytes of mode %m and the "
                                                        "%b of its part")
CT_REASON_OF(CT_OP_MMA_DESCRIPTOR, CT_WHY_SHAPE_CROSSES, "the modes of the tile cannot be "
                                                         "divided into %a x %b elements, which "
                                                         "one instruction reads")

/* Of copy atoms, by their kind (copy_sides.h). */
CT_REASON_OF_SIDE(CT_OP_COPY_ATOM, CT_WHY_ATOM, CT_ATOM_UNIVERSAL, "a universal copy moves 8, 16, 32, 64, 128 or 256 bits, not %a (values of %b bits)")
CT_REASON_OF_SIDE(CT_OP_COPY_ATOM, CT_WHY_ATOM, CT_ATOM_CP_ASYNC_CA, "cp.async.ca moves 32, 64 or 128 bits, not %a (values of %b bits)")
CT_REASON_OF_SIDE(CT_OP_COPY_ATOM, CT_WHY_ATOM, CT_ATOM_CP_ASYNC_CG, "cp.async.cg moves 128 bits, not %a (values of %b bits)")
CT_REASON_OF_SIDE(CT_OP_COPY_ATOM, CT_WHY_ATOM, CT_ATOM_LDMATRIX, "ldmatrix moves 1, 2 or 4 matrices of values of at most 32 bits, not %a of %b bits")
CT_REASON_OF_SIDE(CT_OP_COPY_ATOM, CT_WHY_ATOM, CT_ATOM_STMATRIX, "stmatrix moves 1, 2 or 4 matrices of values of at most 32 bits, not %a of %b bits")
CT_REASON_OF_SIDE(CT_OP_COPY_ATOM, CT_WHY_ATOM, CT_ATOM_LDMATRIX_TRANS, "ldmatrix .trans moves 1, 2 or 4 matrices of values of 16 bits, not %a of %b bits")
CT_REASON_OF_SIDE(CT_OP_COPY_ATOM, CT_WHY_ATOM, CT_ATOM_STMATRIX_TRANS, "stmatrix .trans moves 1, 2 or 4 matrices of values of 16 bits, not %a of %b bits")
CT_REASON_OF_SIDE(CT_OP_COPY_ATOM, CT_WHY_ATOM, CT_ATOM_AUTO, "accesses of %a bits with values of %b bits; values are of 1, 2, 4, 8, 16, 32, 64 or 128 bits")
CT_REASON_OF_SIDE(CT_OP_COPY_ATOM, CT_WHY_ATOM, 0, "the function makes no atoms of this kind (%a bits, or matrices, with values of %b bits)")
CT_REASON_OF_SIDE(CT_OP_COPY_ATOM, CT_WHY_ATOM, CT_ATOM_OWN, "an atom of layouts has values of 1 to 128 bits, not of %b")
CT_REASON_OF(CT_OP_COPY_ATOM, CT_WHY_VALUES, "elements of %a bits; those of 8, 16, 32, 64 or 128 are read one by one from shared memory")
CT_REASON_OF(CT_OP_COPY_ATOM, CT_WHY_COVER_TWICE, "a layout of the atom reaches element %a twice")
CT_REASON_OF(CT_OP_COPY_ATOM, CT_WHY_COVER_MISSING, "a layout of the atom misses element %a")
CT_REASON_OF(CT_OP_MMA_ATOM, CT_WHY_SHAPE, "mode %m of the shape (m,n,k) is %a; 1 to 65536 are possible")
CT_REASON_OF(CT_OP_MMA_ATOM, CT_WHY_COUNT, "the shape of an atom is three integers (m,n,k), and this one has %a in %b modes")
CT_REASON_OF(CT_OP_MMA_ATOM, CT_WHY_THREAD, "the layout of the threads has %b indices, and the lowest thread is %a; each index is a thread of its own, from 0 on")
CT_REASON_OF(CT_OP_MMA_ATOM, CT_WHY_COVER_TWICE, "the layout of operand %m (0 is A, 1 B, 2 C) reaches element %a twice")
CT_REASON_OF(CT_OP_MMA_ATOM, CT_WHY_COVER_MISSING, "the layout of operand %m (0 is A, 1 B, 2 C) misses element %a")
CT_REASON_OF(CT_OP_MMA_ATOM, CT_WHY_ATOM_HOLDS, "the layout of operand %m (0 is A, 1 B, 2 C) holds %a elements, and the shape has %b there")
CT_REASON_OF(CT_OP_MMA_ATOM, CT_WHY_ATOM_THREADS, "the layout of operand %m (0 is A, 1 B, 2 C) has %a threads, and the atom %b")
CT_REASON_OF(CT_OP_COPY_ATOM, CT_WHY_ATOM, "accesses of %a bits with values of %b bits; a tile is moved in values of 8, 16, 32 or 64 bits")

/* One sentence for one mode: 0 is the source or the threads, 1 the destination or the values. */
CT_REASON_OF_SIDE(CT_OP_TILED_COPY, CT_WHY_NEGATIVE_STRIDE, 0,
                  "the thread layout has the negative stride %a; threads count from 0")
CT_REASON_OF_SIDE(CT_OP_TILED_COPY, CT_WHY_NEGATIVE_STRIDE, 1,
                  "the value layout has the negative stride %a; values count from 0")
CT_REASON_OF_SIDE(CT_OP_TILED_COPY, CT_WHY_COVER_TWICE, 0,
                  "the thread layout reaches thread %a twice")
CT_REASON_OF_SIDE(CT_OP_TILED_COPY, CT_WHY_COVER_TWICE, 1,
                  "the value layout reaches value %a twice")
CT_REASON_OF_SIDE(CT_OP_TILED_COPY, CT_WHY_COVER_MISSING, 0,
                  "the thread layout misses thread %a")
CT_REASON_OF_SIDE(CT_OP_TILED_COPY, CT_WHY_COVER_MISSING, 1, "the value layout misses value %a")
CT_REASON_OF_SIDE(CT_OP_TILED_COPY, CT_WHY_CONTIGUOUS, 0,
                  "the atom moves %a values at once, and only %b are contiguous in the source")
CT_REASON_OF_SIDE(CT_OP_TILED_COPY, CT_WHY_CONTIGUOUS, 1,
                  "the atom moves %a values at once, and only %b are contiguous in the "
                  "destination")
CT_REASON_OF_SIDE(CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS, 0,
                  "the atom moves %a values at once, and only %b are contiguous in the source")
CT_REASON_OF_SIDE(CT_OP_PARTITION_COPY, CT_WHY_CONTIGUOUS, 1,
                  "the atom moves %a values at once, and only %b are contiguous in the destination")
CT_REASON_OF_SIDE(CT_OP_PARTITION_COPY, CT_WHY_OVERFLOW, 0,
                  "offsets of the source in shared memory do not fit in 2^31 bits")
CT_REASON_OF_SIDE(CT_OP_PARTITION_COPY, CT_WHY_OVERFLOW, 1,
                  "offsets of the destination in shared memory do not fit in 2^31 bits")
CT_REASON_OF_SIDE(CT_OP_PARTITION_COPY, CT_WHY_BASIS_MIXED, 0,
                  "the source in shared memory has a basis stride where integers are needed")
CT_REASON_OF_SIDE(CT_OP_PARTITION_COPY, CT_WHY_BASIS_MIXED, 1,
                  "the destination in shared memory has a basis stride where integers are needed")
CT_REASON_OF_SIDE(CT_OP_PARTITION_COPY, CT_WHY_ALIGNMENT, 0,
                  "the source has a row at element %a, not at a multiple of %b elements")
CT_REASON_OF_SIDE(CT_OP_PARTITION_COPY, CT_WHY_ALIGNMENT, 1,
                  "the destination has a row at element %a, not at a multiple of %b elements")
CT_REASON_OF_SIDE(CT_OP_TILED_COPY, CT_WHY_ALIGNMENT, 0,
                  "the source has stride %a, not a multiple of the %b values that the atom moves "
                  "at once")
CT_REASON_OF_SIDE(CT_OP_TILED_COPY, CT_WHY_ALIGNMENT, 1,
                  "the destination has stride %a, not a multiple of the %b values that the atom "
                  "moves at once")

#undef CT_REASON
#undef CT_REASON_OF
#undef CT_REASON_OF_SIDE
