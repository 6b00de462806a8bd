/* What nvcc costs by itself. */
extern "C" __global__ void empty() {}
