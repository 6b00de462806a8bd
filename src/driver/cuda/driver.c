/* The driver's library, and the functions in it. */
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trusted.h"
#include "base/refuse.h"

typedef struct entry {
    size_t at; /* of the pointer in ct_driver */
    const char *symbol;
    int required;
} entry;

#define REQUIRED(member, symbol, parameters) {offsetof(ct_driver, member), symbol, 1},
#define OPTIONAL(member, symbol, parameters) {offsetof(ct_driver, member), symbol, 0},
static const entry entries[] = {CT_DRIVER_REQUIRED(REQUIRED) CT_DRIVER_OPTIONAL(OPTIONAL)};

ct_status ct_driver_load(ct_driver *driver, char *message)
{
    const char *chosen = ct_trusted_variable("CUTLET_CUDA_DRIVER");
    const char *path = chosen && chosen[0] ? chosen : "libcuda.so.1";
    memset(driver, 0, sizeof *driver);
    /* A started driver has threads, so its code stays loaded. */
    driver->library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!driver->library)
        return ct_refuse(message, CT_E_BACKEND, "no GPU: no NVIDIA driver: %s", dlerror());
    for (size_t i = 0; i < sizeof entries / sizeof *entries; ++i) {
        void *const found = dlsym(driver->library, entries[i].symbol);
        if (!found && entries[i].required) {
            ct_driver_unload(driver);
            return ct_refuse(message, CT_E_BACKEND, "no GPU: the driver is too old: %s has no %s",
                             path, entries[i].symbol);
        }
        memcpy((char *)driver + entries[i].at, &found, sizeof found);
    }
    return 0;
}

void ct_driver_unload(ct_driver *driver)
{
    if (driver->library) dlclose(driver->library);
    memset(driver, 0, sizeof *driver);
}

void ct_driver_explain(const ct_driver *driver, int result, char *text, size_t bytes)
{
    const char *name = NULL, *meaning = NULL;
    if (driver->error_name(result, &name) || driver->error_text(result, &meaning) || !name ||
        !meaning)
        snprintf(text, bytes, "error %d, which the driver does not know", result);
    else snprintf(text, bytes, "%s (%s)", meaning, name);
}
