/* SPDX-License-Identifier: MIT */
#include "isa/ir3/machine/processor.h"

#if defined(__GLIBC__) && defined(GPUCODE_WITH_AVX2) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

/*
 * glibc has asked the processor when the program was loaded. The compiler's way asks it once more at each start of a
 * program, also of one that runs no shader; under a hypervisor each such question takes microseconds.
 */
bool a3xx_has_avx2(void)
{
#ifndef GPUCODE_WITH_AVX2
    return false;
#elif defined CPU_FEATURE_ACTIVE
    return CPU_FEATURE_ACTIVE(AVX2);
#else
    return __builtin_cpu_supports("avx2");
#endif
}
