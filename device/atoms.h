/**
 * All atoms: the instructions that move data and that kernels may use, one header per kind.
 */
#ifndef CUTLET_DEVICE_ATOMS_H
#define CUTLET_DEVICE_ATOMS_H

#include "cp_async.h"
#include "load_store.h"
#include "matrix.h"
#include "warp.h"

#endif
