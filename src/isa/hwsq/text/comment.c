/* SPDX-License-Identifier: MIT */
/* Comments of listings. */
#include "base/text.h"
#include "isa/hwsq/hwsq.h"

/* The name of the register that a full address means; short ones need the history, which the listing has. */
char *hwsq_comment(char *at, const struct gpucode_insn *insn, const struct gpucode_format_options *options)
{
    if (insn->row != HWSQ_ADDR)
        return at;
    char *text = TEXT_LITERAL(at, "\t// ");
    char *end = isa_name_of(insn->target->names, options->names, GPUCODE_SPACE_GPU, (uint32_t)(insn->bits >> 8), text);
    return end > text ? end : at;
}
