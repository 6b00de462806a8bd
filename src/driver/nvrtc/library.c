/* NVRTC's library, and the functions in it. */
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/trusted.h"
#include "base/refuse.h"

typedef struct entry {
    size_t at; /* of the pointer in ct_nvrtc */
    const char *symbol;
} entry;

#define ENTRY(member, symbol, parameters) {offsetof(ct_nvrtc, member), symbol},
static const entry entries[] = {
    CT_NVRTC_FUNCTIONS(ENTRY){offsetof(ct_nvrtc, error_text), "nvrtcGetErrorString"}};

/* Where the loader looks, then where the toolkit is. */
static const char *const usual[] = {
    "libnvrtc.so.13",
    "libnvrtc.so.12",
    "libnvrtc.so",
    "/usr/local/cuda/lib64/libnvrtc.so.13",
    "/usr/local/cuda/lib64/libnvrtc.so.12",
    "/usr/local/cuda/lib64/libnvrtc.so",
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static ct_nvrtc found;
static char reason[CT_MESSAGE_BYTES]; /* why the library is not there */

/* Opens that library, or writes why it is not used. Once opened its code stays. */
static int load(const char *path)
{
    ct_nvrtc lib = {0};
    int major = 0, minor = 0;
    lib.library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!lib.library) return ct_refuse(reason, CT_E_BACKEND, "no NVRTC: %s", dlerror());
    for (size_t i = 0; i < sizeof entries / sizeof *entries; ++i) {
        void *const symbol = dlsym(lib.library, entries[i].symbol);
        if (!symbol) {
            dlclose(lib.library);
            return ct_refuse(reason, CT_E_BACKEND, "no NVRTC: %.120s has no %s", path,
                             entries[i].symbol);
        }
        memcpy((char *)&lib + entries[i].at, &symbol, sizeof symbol);
    }
    if (lib.version(&major, &minor)) {
        dlclose(lib.library);
        return ct_refuse(reason, CT_E_BACKEND, "no NVRTC: %.120s has no version", path);
    }
    lib.number = 1000 * major + 10 * minor;
    found = lib;
    return 0;
}

int ct_nvrtc_is_off(void)
{
    const char *const chosen = ct_trusted_variable("CUTLET_NVRTC");
    return chosen && (chosen[0] == 0 || strcmp(chosen, "0") == 0);
}

/* The reason that stays is that of the first name. */
static void find(void)
{
    const char *const chosen = ct_trusted_variable("CUTLET_NVRTC");
    if (ct_nvrtc_is_off()) {
        ct_refuse(reason, CT_E_BACKEND, "no NVRTC: CUTLET_NVRTC turns it off");
        return;
    }
    if (chosen) {
        load(chosen);
        return;
    }
    char first[sizeof reason] = "";
    for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i) {
        if (load(usual[i]) == 0) return;
        if (i == 0) memcpy(first, reason, sizeof first);
    }
    memcpy(reason, first, sizeof reason);
}

const ct_nvrtc *ct_nvrtc_open(char *message)
{
    pthread_once(&once, find);
    if (found.library) return &found;
    ct_refuse(message, CT_E_BACKEND, "%s", reason);
    return NULL;
}
