/* SPDX-License-Identifier: MIT */
/* A value of an expression as text. */
#include "dap/server.h"

#include <inttypes.h>
#include <stdio.h>

void value_text(const struct dap *dap, const struct gpucode_value *value, bool hex, char text[VALUE_TEXT])
{
    char label[GPUCODE_NAME_MAX], as_float[32];
    if (hex)
        snprintf(text, VALUE_TEXT, "0x%" PRIx64, (uint64_t)value->number);
    else if (value->is_code &&
             gpucode_debug_label(dap->debug, value->section, (uint64_t)value->number, label, sizeof label))
        snprintf(text, VALUE_TEXT, "0x%" PRIx64 " <%s>", (uint64_t)value->number, label);
    else if (console_value_float(dap->machine, value, as_float, sizeof as_float))
        snprintf(text, VALUE_TEXT, "%s (0x%" PRIx64 ")", as_float, (uint64_t)value->number);
    else if (value->number >= -9 && value->number <= 9)
        snprintf(text, VALUE_TEXT, "%" PRId64, value->number);
    else
        snprintf(text, VALUE_TEXT, "0x%" PRIx64 " (%" PRId64 ")", (uint64_t)value->number, value->number);
}
