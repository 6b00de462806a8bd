/* Compiles a kernel of cutlet's dialect with NVRTC, while the program runs: SOURCE.cu to a cubin.
 * What follows SOURCE.cu and the architecture are folders of headers. */
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char source[1 << 20], architecture[40], folder[8][1000];
    const char *options[11] = {"-std=c++17", "-default-device", architecture};
    FILE *file = argc > 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) return fprintf(stderr, "usage: nvrtc SOURCE.cu ARCH FOLDER..\n"), 2;
    source[fread(source, 1, sizeof source - 1, file)] = 0;
    fclose(file);
    snprintf(architecture, sizeof architecture, "--gpu-architecture=%s", argv[2]);
    int count = 3;
    for (int i = 3; i < argc && count < 11; ++i) {
        snprintf(folder[i - 3], sizeof folder[0], "-I%s", argv[i]);
        options[count++] = folder[i - 3];
    }
    nvrtcProgram program;
    size_t bytes = 0;
    nvrtcResult bad = nvrtcCreateProgram(&program, source, argv[1], 0, NULL, NULL);
    if (!bad) bad = nvrtcCompileProgram(program, count, options);
    if (bad) {
        nvrtcGetProgramLogSize(program, &bytes);
        char *const log = calloc(bytes + 1, 1);
        nvrtcGetProgramLog(program, log);
        return fprintf(stderr, "%s\n%s", nvrtcGetErrorString(bad), log), 1;
    }
    nvrtcGetCUBINSize(program, &bytes);
    char *const cubin = malloc(bytes);
    nvrtcGetCUBIN(program, cubin);
    /* ct_cuda_load(gpu, cubin, bytes) makes its kernels launchable by name: cutlet/host/cuda.h */
    file = fopen("kernel.cubin", "wb");
    if (!file || fwrite(cubin, 1, bytes, file) != bytes || fclose(file)) return 1;
    printf("wrote kernel.cubin\n");
    return 0;
}
