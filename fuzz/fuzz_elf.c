/* SPDX-License-Identifier: MIT */
/* Any bytes as an ELF file: the code in it is no more than the file, and reading it tells when it is damaged. */
#include "check.h"
#include <gpucode/elf.h>
#include <stdlib.h>

static void count_diagnostic(void *user, const struct gpucode_diagnostic *diagnostic)
{
    (void)diagnostic;
    ++*(unsigned *)user;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    unsigned said = 0;
    const struct gpucode_diagnostic_handler handler = {count_diagnostic, &said};
    struct gpucode_elf_code code;
    enum gpucode_status status = gpucode_elf_read(bytes, size, "fuzz", &handler, &code);
    check(status == GPUCODE_OK || status == GPUCODE_ERROR_UNSUPPORTED || status == GPUCODE_ERROR_INPUT);
    check(said == (status == GPUCODE_ERROR_INPUT));
    if (status != GPUCODE_OK)
        return 0;
    check(code.target && code.size <= size);
    const unsigned char *last = code.bytes;
    check(!last[code.size]);
    free(code.bytes);
    return 0;
}
