/* SPDX-License-Identifier: MIT */
/* Scripts in other files: what the readers of the kinds of files share. */
#ifndef ISA_HWSQ_EXTRACT_EXTRACT_H
#define ISA_HWSQ_EXTRACT_EXTRACT_H

#include "base/diagnostics.h"
#include "isa/hwsq/hwsq.h"
#include <gpucode/hwsq.h>

struct extract {
    const struct gpucode_hwsq_extract_options *options;
    const unsigned char *bytes;
    size_t size;
    unsigned count;
    unsigned errors, warnings;
    bool failed; /* out of memory */
};

void extract_give(struct extract *extract, const struct gpucode_hwsq_script *script);
/* Tells the diagnostic handler; `at` may be null. Of warnings the first 20 are told. */
void extract_report(struct extract *extract, const void *at, size_t span, message_id message, const char *hint,
                    const char *first, const char *second);
/* Reports that no chipset is known. */
void extract_no_target(struct extract *extract);

/*
 * Bytes from `start` of the code RAM to the exit that ends them, at most `end`. *complete: there is an exit and `known`
 * (null: all) is set for every byte. Code is followed as it is executed.
 */
size_t extract_length(const struct gpucode_target *target, const unsigned char *code, const bool *known, size_t start,
                      size_t end, bool *complete);

bool extract_is_mmiotrace(const struct extract *extract);
void extract_mmiotrace(struct extract *extract);

#endif
