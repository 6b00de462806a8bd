/* Universal copies of every width and cp.async of every size by the one copy: tiles of four accesses
 * for each of 64 threads, from global memory by way of shared memory or registers, or straight. */
#include <cutlet/device/copy/copy.h>
#include <cutlet/device/kernel/static.h>

#include "copy_atoms.h"

/* Two accesses of a thread side by side, in each of two rows. */
CT_FN ct_tuple form_tile(ct_copy_atom atom)
{
    return ct_tuple2(32, 8 * atom.bits / atom.value_bits);
}

CT_FN ct_partition form_of(ct_copy_atom atom, ct_memory src, ct_memory dst)
{
    const ct_layout val = ct_layout2(1, atom.bits / atom.value_bits, 1, 1);
    const ct_tiled_copy copy = ct_make_tiled_copy(atom, ct_layout2(16, 4, 4, 1), val);
    return ct_make_partition(copy, form_tile(atom), src, dst);
}

/* What no copy leaves, where it should read zeros. */
CT_DEVICE void spoil_form(unsigned char *memory, int32_t bytes)
{
    for (int32_t i = 4 * (int32_t)threadIdx.x; i < bytes; i += 4 * 64) {
        const uint32_t x = 0x5a5a5a5au;
        ct_store_shared(memory + i, &x, 32);
    }
    __syncthreads();
}

#define FORM(name)                                                                                 \
    CT_KERNEL_THREADS(name, 64, copy_atoms_args, args)                                             \
    {                                                                                              \
        CT_STATIC(ct_memory, global, ct_in_global(1));                                             \
        const ct_index x = ct_index2(blockIdx.y, blockIdx.x);
#define TILE(g, P) ct_view_tile(&args.g, &P, x)

/* By way of shared memory: to there by atom IN, from there by OUT. */
#define BY_SHARED(name, IN, OUT)                                                                   \
    FORM(name)                                                                                     \
    CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_make_row_major(form_tile(IN))));            \
    CT_STATIC(ct_partition, in, form_of(IN, global, shared));                                      \
    CT_STATIC(ct_partition, out, form_of(OUT, shared, global));                                    \
    CT_SHARED(unsigned char, memory, 32 * 128);                                                    \
    spoil_form(memory, 32 * 128);                                                                  \
    ct_copy(&in, TILE(src, in), ct_view_shared(memory));                                           \
    ct_cp_async_commit();                                                                          \
    ct_cp_async_wait_all();                                                                        \
    __syncthreads();                                                                               \
    ct_copy(&out, ct_view_shared(memory), TILE(dst, out));                                         \
    }

/* By way of registers, shared memory and registers again. */
#define BY_REGISTERS(name, ATOM)                                                                   \
    FORM(name)                                                                                     \
    CT_STATIC(ct_memory, shared, ct_in_shared_plain(ct_make_row_major(form_tile(ATOM))));          \
    CT_STATIC(ct_memory, held, ct_in_registers());                                                 \
    CT_STATIC(ct_partition, in, form_of(ATOM, global, held));                                      \
    CT_STATIC(ct_partition, put, form_of(ATOM, held, shared));                                     \
    CT_STATIC(ct_partition, get, form_of(ATOM, shared, held));                                     \
    CT_STATIC(ct_partition, out, form_of(ATOM, held, global));                                     \
    CT_SHARED(unsigned char, memory, 32 * 128);                                                    \
    CT_FRAGMENT(uint32_t, words, 16);                                                              \
    CT_FRAGMENT(uint32_t, again, 16);                                                              \
    ct_copy(&in, TILE(src, in), ct_view_registers(words));                                         \
    ct_copy(&put, ct_view_registers(words), ct_view_shared(memory));                               \
    __syncthreads();                                                                               \
    ct_copy(&get, ct_view_shared(memory), ct_view_registers(again));                               \
    ct_copy(&out, ct_view_registers(again), TILE(dst, out));                                       \
    }

#define IN_ORDER(name, ATOM)                                                                       \
    FORM(name)                                                                                     \
    CT_STATIC(ct_partition, P, form_of(ATOM, global, global));                                     \
    ct_copy(&P, TILE(src, P), TILE(dst, P));                                                       \
    }

#define HELD(name, ATOM)                                                                           \
    FORM(name)                                                                                     \
    CT_STATIC(ct_memory, held, ct_in_registers());                                                 \
    CT_STATIC(ct_partition, in, form_of(ATOM, global, held));                                      \
    CT_STATIC(ct_partition, out, form_of(ATOM, held, global));                                     \
    CT_FRAGMENT(uint32_t, words, 32);                                                              \
    ct_copy(&in, TILE(src, in), ct_view_registers(words));                                         \
    ct_copy(&out, ct_view_registers(words), TILE(dst, out));                                       \
    }

#define UNIVERSAL(bits, elem_bits)                                                                 \
    BY_SHARED(copy_shared_##bits, ct_copy_atom_universal(bits, elem_bits),                         \
              ct_copy_atom_universal(bits, elem_bits))                                             \
    BY_REGISTERS(copy_registers_##bits, ct_copy_atom_universal(bits, elem_bits))                   \
    IN_ORDER(copy_in_order_##bits, ct_copy_atom_universal(bits, elem_bits))
UNIVERSAL(8, 8)
UNIVERSAL(16, 8)
UNIVERSAL(32, 16)
UNIVERSAL(64, 16)
UNIVERSAL(128, 16)
/* Of global memory alone. */
HELD(copy_registers_256, ct_copy_atom_universal(256, 16))
IN_ORDER(copy_in_order_256, ct_copy_atom_universal(256, 16))

#define ASYNC(name, KIND, bits, elem_bits)                                                         \
    BY_SHARED(name, ct_copy_atom_cp_async(KIND, bits, elem_bits),                                  \
              ct_copy_atom_universal(bits, elem_bits))
ASYNC(copy_async_ca_4, CT_ATOM_CP_ASYNC_CA, 32, 8)
ASYNC(copy_async_ca_8, CT_ATOM_CP_ASYNC_CA, 64, 16)
ASYNC(copy_async_ca_16, CT_ATOM_CP_ASYNC_CA, 128, 32)
ASYNC(copy_async_cg_16, CT_ATOM_CP_ASYNC_CG, 128, 16)
