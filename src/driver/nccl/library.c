/* NCCL's library, and the functions in it. */
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "base/trusted.h"
#include "base/refuse.h"

typedef struct entry {
    size_t at; /* of the pointer in ct_nccl */
    const char *symbol;
    int is_required;
} entry;

#define REQUIRED(member, symbol, parameters) {offsetof(ct_nccl, member), symbol, 1},
#define OPTIONAL(member, symbol, parameters) {offsetof(ct_nccl, member), symbol, 0},
static const entry entries[] = {CT_NCCL_REQUIRED(REQUIRED) CT_NCCL_OPTIONAL(OPTIONAL){
    offsetof(ct_nccl, error_text), "ncclGetErrorString", 1}};

/* The name that every version has had; the loader finds one that is loaded already. */
static const char usual[] = "libnccl.so.2";

static pthread_once_t once = PTHREAD_ONCE_INIT;
static ct_nccl found;
static char reason[CT_MESSAGE_BYTES]; /* why the library is not there */

/* Opens that library, or writes why it is not used. Once opened its code stays: it has threads. */
static int load(const char *path)
{
    ct_nccl lib = {0};
    lib.library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!lib.library) return ct_refuse(reason, CT_E_BACKEND, "no NCCL: %s", dlerror());
    for (size_t i = 0; i < sizeof entries / sizeof *entries; ++i) {
        void *const symbol = dlsym(lib.library, entries[i].symbol);
        if (!symbol && entries[i].is_required) {
            dlclose(lib.library);
            return ct_refuse(reason, CT_E_BACKEND, "no NCCL: %.120s has no %s", path,
                             entries[i].symbol);
        }
        memcpy((char *)&lib + entries[i].at, &symbol, sizeof symbol);
    }
    if (lib.version(&lib.number)) {
        dlclose(lib.library);
        return ct_refuse(reason, CT_E_BACKEND, "no NCCL: %.120s has no version", path);
    }
    found = lib;
    return 0;
}

static void find(void)
{
    const char *const chosen = ct_trusted_variable("CUTLET_NCCL");
    if (chosen && (chosen[0] == 0 || strcmp(chosen, "0") == 0))
        ct_refuse(reason, CT_E_BACKEND, "no NCCL: CUTLET_NCCL turns it off");
    else load(chosen ? chosen : usual);
}

const ct_nccl *ct_nccl_open(char *message)
{
    pthread_once(&once, find);
    if (found.library) return &found;
    ct_refuse(message, CT_E_BACKEND, "%s", reason);
    return NULL;
}
