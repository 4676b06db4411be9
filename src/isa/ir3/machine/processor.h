/* SPDX-License-Identifier: MIT */
/* What the processor has that this runs on. */
#ifndef ISA_IR3_MACHINE_PROCESSOR_H
#define ISA_IR3_MACHINE_PROCESSOR_H

#include <stdbool.h>

/* Has it AVX2, and the library loops for it? */
bool a3xx_has_avx2(void);

#endif
