/* An array of structures and a structure of arrays: two layouts of the same data, one kernel.
 *
 * Particles of 8 floats, x y z first, are a tensor of shape (n,8). As an array of structures its
 * strides are (8,1): the fields of a particle lie side by side. As a structure of arrays they are
 * (1,n): a field of all particles does. The kernel wants x, y and z of four particles;
 * ct_fragment_load finds along which mode the tensor is contiguous and makes its accesses of 16
 * bytes along that one.
 *
 * As an array of structures, a thread fetches 16 of each 32 bytes, and memory delivers all 32, for
 * it does so by sectors: five of eight fields are moved for nothing. As a structure of arrays it
 * moves what is asked for. That is a property of the layout; no width of access mends it. */
#include <math.h>

#include "element.h"
#include "fragment.h"
#include "vector.h"

/* part: lengths */
CT_KERNEL_THREADS(particle_lengths, PARTICLES_THREADS, particles_args, args)
{
    const ct_view particles = ct_view_global(args.particles, 4, args.n, PARTICLE_FIELDS,
                                             args.particle_step, args.field_step);
    const int64_t first =
        PARTICLES_EACH * ((int64_t)blockIdx.x * PARTICLES_THREADS + threadIdx.x);
    const ct_run lengths = {(const unsigned char *)args.dst, 4 * args.n};
    CT_FRAGMENT(uint32_t, r, PARTICLES_EACH * 3);
    CT_FRAGMENT(uint32_t, length, PARTICLES_EACH);
    ct_fragment_load(r, particles, first, PARTICLES_EACH, 3);
    CT_UNROLL for (int i = 0; i < PARTICLES_EACH; ++i) {
        const float x = ct_get_float(r, 3 * i), y = ct_get_float(r, 3 * i + 1);
        const float z = ct_get_float(r, 3 * i + 2);
        ct_put_float(length, i, sqrtf(x * x + y * y + z * z));
    }
    ct_run_store(lengths, 4 * first, length, 4 * PARTICLES_EACH, 4);
}
/* end */
