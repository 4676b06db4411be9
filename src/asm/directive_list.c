/* SPDX-License-Identifier: MIT */
/* What directives there are, for those who write them. */
#include "asm/context.h"

/* Those of directive.c and data.c; tests/asm/source.c tries each. */
static const struct gpucode_directive everywhere[] = {
    {".target", "TARGET", "Says what the source is for, as `gpucode targets` lists it."},
    {".equ", "NAME, VALUE", "Defines a constant."},
    {".section", "NAME", "Begins a section, which has labels of its own or goes on with those of the file."},
    {".include", "\"FILE\"", "Reads a file, whose name is relative to the file that includes it."},
    {".macro", "NAME PARAMETER, ...",
     "Begins a macro, whose body ends with .endm; \\PARAMETER stands for an argument, "
     "\\@ for a number that is another one each time."},
    {".endm", "", "Ends a macro."},
    {".align", "BYTES", "Pads to a multiple of so many bytes."},
    {".org", "UNIT", "Pads up to that unit of the section."},
    {".byte", "VALUE, ...", "Bytes."},
    {".word", "VALUE, ...", "Words of 4 bytes."},
    {".b8", "VALUE, ...", "Bytes, with a sign or without."},
    {".u8", "VALUE, ...", "Bytes without a sign."},
    {".s8", "VALUE, ...", "Bytes with a sign."},
    {".b16", "VALUE, ...", "Numbers of 2 bytes, with a sign or without."},
    {".u16", "VALUE, ...", "Numbers of 2 bytes without a sign."},
    {".s16", "VALUE, ...", "Numbers of 2 bytes with a sign."},
    {".b32", "VALUE, ...", "Numbers of 4 bytes, with a sign or without."},
    {".u32", "VALUE, ...", "Numbers of 4 bytes without a sign."},
    {".s32", "VALUE, ...", "Numbers of 4 bytes with a sign."},
    {".b64", "VALUE, ...", "Numbers of 8 bytes, with a sign or without."},
    {".u64", "VALUE, ...", "Numbers of 8 bytes without a sign."},
    {".s64", "VALUE, ...", "Numbers of 8 bytes with a sign."},
    {".size", "BYTES", "Pads with zeros to so many bytes from the start of the section."},
    {".skip", "BYTES", "So many zeros."},
};

bool gpucode_directive_at(const struct gpucode_target *target, unsigned index, struct gpucode_directive *directive)
{
    unsigned count = sizeof everywhere / sizeof *everywhere;
    if (!directive)
        return false;
    if (index < count) {
        *directive = everywhere[index];
        return true;
    }
    const struct isa_assembler *hooks = target ? target->isa->assembler : NULL;
    const struct gpucode_directive *own = hooks ? hooks->directives : NULL;
    for (index -= count; own && own->name && index; index--)
        own++;
    if (!own || !own->name)
        return false;
    *directive = *own;
    return true;
}
