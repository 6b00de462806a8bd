/* The fastest global -> shared -> global copy: the row of best_copies.h. */
#include "best_copies.h"

CT_BEST_COPY_CHOSEN(CT_BEST_COPY_KERNEL)
