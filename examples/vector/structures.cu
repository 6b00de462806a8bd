/* An array of structures and a structure of arrays: two layouts of the same data, one kernel.
 *
 * Particles of 8 floats, x y z first, are a tensor of shape (n,8). As an array of structures its
 * strides are (8,1): the fields of a particle lie side by side. As a structure of arrays they are
 * (1,n): a field of all particles does. The kernel wants x, y and z of four particles in a thread.
 * A tile is divided so twice: along the fields, of which an access of 16 bytes has four, and along
 * the particles. Which of the two, the tensor says when the kernel runs; in registers the values
 * have one order.
 *
 * As an array of structures, a thread fetches 16 of each 32 bytes, and memory delivers all 32, for
 * it does so by sectors: five of eight fields are moved for nothing. As a structure of arrays it
 * moves what is asked for. That is a property of the layout; no width of access mends it. */
#include <math.h>

#include <cutlet/device/register/values.h>
#include <cutlet/device/register/vectors.h>

#include "vector.h"

/* So many fields of a block's particles, which lie side by side along the axis. */
CT_FN ct_partition particles_part(int32_t fields, int32_t axis)
{
    const ct_tiled_copy copy =
        ct_make_tiled_copy(ct_copy_atom_auto(32), ct_layout2(PARTICLES_THREADS, 1, 1, 0),
                           ct_layout2(PARTICLES_EACH, fields, 1, PARTICLES_EACH));
    return ct_make_partition(copy, ct_tuple2(PARTICLES_THREADS * PARTICLES_EACH, fields),
                             ct_in_global(axis), ct_in_registers());
}

/* part: lengths */
CT_DEVICE void particles_load(const ct_registers r, const ct_global *particles,
                              const ct_partition *part)
{
    const ct_view tile = ct_view_tile(particles, part, ct_index2(blockIdx.x, 0));
    ct_copy(part, ct_view_src(part, tile, threadIdx.x), r);
}

CT_KERNEL_THREADS(particle_lengths, PARTICLES_THREADS, particles_args, args)
{
    CT_STATIC(ct_partition, rows, particles_part(4, 1));
    CT_STATIC(ct_partition, columns, particles_part(3, 0));
    CT_STATIC(ct_partition, out, ct_vectors_out(PARTICLES_EACH, PARTICLES_THREADS, 1, 32));
    CT_REGISTERS(float, r, columns); /* particle i's field j is value i + 4 j */
    CT_REGISTERS(float, with_mass, rows);
    CT_REGISTERS(float, length, out);
    const int is_row = args.particles.axis == 1;
    if (is_row) particles_load(with_mass, &args.particles, &rows);
    else particles_load(r, &args.particles, &columns);
    CT_EACH(i, r) ct_put(r, i, is_row ? ct_val(with_mass, i) : ct_val(r, i));
    CT_EACH(i, length)
    {
        const float x = ct_val(r, i), y = ct_val(r, PARTICLES_EACH + i),
                    z = ct_val(r, 2 * PARTICLES_EACH + i);
        ct_put(length, i, sqrtf(x * x + y * y + z * z));
    }
    const ct_view to = ct_view_tile(&args.lengths, &out, ct_index1(blockIdx.x));
    ct_copy(&out, length, ct_view_dst(&out, to, threadIdx.x));
}
/* end */
