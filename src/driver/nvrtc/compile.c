/* Compiling for one architecture, and the line that says why not. */
#include "compile.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/refuse.h"
#include "embedded.h"
#include "library.h"

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number

/* The headers also have functions for the host, which become functions of the device. The capacity
 * of layouts is that of this library. Without warnings the log begins with the first error. */
static const char *const fixed_options[] = {
    "-std=c++17",
    "-default-device",
    "-w",
    ("-DCT_MAX_LEAVES=" TEXT(CT_MAX_LEAVES)),
};
enum { FIXED_OPTIONS = sizeof fixed_options / sizeof *fixed_options };

/* Leaves out textures, launches from kernels and the runtime's types, which is a sixth of the time
 * for a small kernel. Known from version 12.4 on. */
#define MINIMAL "-minimal"
enum { MINIMAL_VERSION = 12040 };

/* ---- what went wrong ------------------------------------------------------------------------- */

/* The most useful line of the log: the first error; else the first line that is not empty. */
static const char *telling_line(char *log)
{
    char *at = strstr(log, "error");
    while (at && at > log && at[-1] != '\n') --at;
    if (!at) at = log + strspn(log, "\n");
    at[strcspn(at, "\n")] = 0;
    return at;
}

/* Writes what NVRTC says of the program, or of the call; returns CT_E_FAILED. */
static ct_status fail(const ct_nvrtc *lib, void *program, int result, char *message)
{
    size_t bytes = 0;
    char *log = NULL;
    if (program && lib->log_bytes(program, &bytes) == 0 && bytes > 1) log = malloc(bytes);
    if (log && lib->log(program, log) == 0) {
        log[bytes - 1] = 0;
        ct_refuse(message, CT_E_FAILED, "NVRTC: %s", telling_line(log));
    } else {
        ct_refuse(message, CT_E_FAILED, "NVRTC: %s", lib->error_text(result));
    }
    free(log);
    return CT_E_FAILED;
}

/* ---- compiling ------------------------------------------------------------------------------- */

/* The cubin of a program that has been compiled. */
static ct_status take_cubin(const ct_nvrtc *lib, void *program, void **cubin, size_t *bytes,
                            char *message)
{
    size_t size = 0;
    int result = lib->cubin_bytes(program, &size);
    if (result) return fail(lib, NULL, result, message);
    char *const image = malloc(size ? size : 1);
    if (!image) return ct_refuse(message, CT_E_MEMORY, "NVRTC: out of host memory");
    result = lib->cubin(program, image);
    if (result) {
        free(image);
        return fail(lib, NULL, result, message);
    }
    *cubin = image;
    *bytes = size;
    return 0;
}

ct_status ct_nvrtc_compile(const char *source, int arch, void **cubin, size_t *bytes,
                           char message[CT_MESSAGE_BYTES])
{
    char unread[CT_MESSAGE_BYTES], architecture[40];
    const char *names[CT_EMBEDDED_MAX], *texts[CT_EMBEDDED_MAX];
    const char *options[FIXED_OPTIONS + 2];
    if (!message) message = unread;
    *cubin = NULL;
    *bytes = 0;
    const ct_nvrtc *const lib = ct_nvrtc_open(message);
    if (!lib) return CT_E_BACKEND;

    void *program = NULL;
    const int headers = ct_embedded_needed(source, names, texts);
    int result = lib->create(&program, source, "plan.cu", headers, texts, names);
    if (result) return fail(lib, NULL, result, message);
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d", arch);
    memcpy(options, fixed_options, sizeof fixed_options);
    options[FIXED_OPTIONS] = architecture;
    options[FIXED_OPTIONS + 1] = MINIMAL;
    const int all = lib->number >= MINIMAL_VERSION;
    result = lib->compile(program, FIXED_OPTIONS + 1 + all, options);
    const ct_status status = result ? fail(lib, program, result, message)
                                    : take_cubin(lib, program, cubin, bytes, message);
    lib->destroy(&program);
    return status;
}

int ct_nvrtc_version(void)
{
    char unread[CT_MESSAGE_BYTES];
    const ct_nvrtc *const lib = ct_nvrtc_open(unread);
    return lib ? lib->number : 0;
}

/* ---- what the result depends on -------------------------------------------------------------- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t fingerprint;

/* Texts with their terminating zeros, so that no two lists of them are the same bytes. */
static void work_out(void)
{
    uint64_t hash = CT_FNV_BEGIN;
    for (int i = 0; i < FIXED_OPTIONS; ++i)
        hash = ct_fnv(hash, fixed_options[i], strlen(fixed_options[i]) + 1);
    for (int i = 0; i < ct_embedded_count; ++i) {
        hash = ct_fnv(hash, ct_embedded[i].name, strlen(ct_embedded[i].name) + 1);
        hash = ct_fnv(hash, ct_embedded[i].text, strlen(ct_embedded[i].text) + 1);
    }
    fingerprint = hash;
}

uint64_t ct_nvrtc_fingerprint(void)
{
    pthread_once(&once, work_out);
    return fingerprint;
}
