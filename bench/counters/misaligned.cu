/* What does a GPU do with an access at not a multiple of its width? `misaligned N` makes access
   N, one
 * in a process, since the first fault ends the context; the last one is aligned.
 *
 *     nvcc -o misaligned misaligned.cu && for n in 0 1 2 3 4 5 6 7; do ./misaligned $n; done */
#include <cstdio>
#include <cstdlib>

static const char *const names[] = {
    "load of 16 bytes, 4 past a boundary",          "load of 8 bytes, 4 past a boundary",
    "load of 4 bytes, 1 past a boundary",           "store of 16 bytes, 4 past a boundary",
    "shared load of 16 bytes, 4 past a boundary",   "shared store of 8 bytes, 4 past a boundary",
    "cp.async of 16 bytes, from 4 past a boundary", "load of 16 bytes at a boundary",
};

enum { COUNT = sizeof names / sizeof *names };

__global__ void access(int which, char *p, unsigned *out)
{
    extern __shared__ char memory[];
    const unsigned at = (unsigned)__cvta_generic_to_shared(memory);
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (which == 0)
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "l"(p + 4));
    if (which == 1)
        asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(p + 4));
    if (which == 2) asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(p + 1));
    if (which == 3)
        asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(p + 4), "r"(1) : "memory");
    if (which == 4)
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "r"(at + 4));
    if (which == 5)
        asm volatile("st.shared.v2.u32 [%0], {%1, %1};" ::"r"(at + 4), "r"(1) : "memory");
    if (which == 6)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16; cp.async.wait_all;" ::"r"(at),
                     "l"(p + 4)
                     : "memory");
    if (which == 7)
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "l"(p + 16));
    *out = a + b + c + d;
}

int main(int count, char **arguments)
{
    const int which = count == 2 ? atoi(arguments[1]) : -1;
    char *p;
    unsigned *out;
    if (which < 0 || which >= COUNT) {
        fprintf(stderr, "usage: misaligned 0..%d\n", COUNT - 1);
        return 2;
    }
    if (cudaMalloc(&p, 4096) || cudaMalloc(&out, sizeof *out) || cudaMemset(p, 0, 4096)) {
        fprintf(stderr, "misaligned: no memory of a GPU\n");
        return 2;
    }
    access<<<1, 1, 1024>>>(which, p, out);
    printf("%s: %s\n", names[which], cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
