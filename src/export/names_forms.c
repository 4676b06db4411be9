/* SPDX-License-Identifier: MIT */
/* Scripts in Python with lists in front, and commands of rizin. */
#include "export/ghidra.h"
#include "export/names.h"

#include <inttypes.h>
#include <string.h>

static const char *const kinds[] = {[GPUCODE_UNIT_CODE] = "code",
                                    [GPUCODE_UNIT_DATA] = "data",
                                    [GPUCODE_UNIT_TABLE] = "table",
                                    [GPUCODE_UNIT_TEXT] = "text"};

/* A literal of Python 2 and 3. */
static void write_python_string(FILE *out, const char *text)
{
    putc('\'', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c < ' ' || *c > '~')
            fprintf(out, "\\x%02x", *c);
        else
            fprintf(out, "%s%c", strchr("'\\", *c) ? "\\" : "", *c);
    putc('\'', out);
}

static void begin_python_list(FILE *out, const char *name)
{
    fprintf(out, "%s = [\n", name);
}

static void put_python_range(FILE *out, const struct names_range *range)
{
    fprintf(out, "    (0x%" PRIx64 ", 0x%" PRIx64 ", '%s', %u),\n", range->offset, range->length, kinds[range->kind],
            range->size);
}

static void put_python_name(FILE *out, uint64_t offset, const char *text, bool routine)
{
    fprintf(out, "    (0x%" PRIx64 ", ", offset);
    write_python_string(out, text);
    fprintf(out, ", %s),\n", routine ? "True" : "False");
}

static void put_python_comment(FILE *out, uint64_t offset, const char *text)
{
    fprintf(out, "    (0x%" PRIx64 ", ", offset);
    write_python_string(out, text);
    fputs("),\n", out);
}

static void end_python_list(FILE *out)
{
    fputs("]\n", out);
}

static void begin_python(FILE *out, const struct input *input, const char *where)
{
    fputs("# SPDX-License-Identifier: MIT\n# Names, comments, code and data of ", out);
    write_python_string(out, input->file.name);
    fprintf(out, " (%s).\n# Made by `gpucode export --form names`; %s\n\n", gpucode_target_name(input->target), where);
    fputs("# Offsets in the file; (offset, length, kind, size of a unit), (offset, name, a routine begins there),\n"
          "# (offset, comment).\n",
          out);
}

/* --- Ghidra ------------------------------------------------------------------------------------------------------- */

static void begin_ghidra(FILE *out, const struct input *input)
{
    begin_python(out, input, "a script for Ghidra's Script Manager.\n# @category gpucode");
}

static void end_ghidra(FILE *out)
{
    fputs("\n\n", out);
    fputs(ghidra_marks, out);
    fputs("def place(offset):\n"
          "    \"\"\"Where a byte of the file was loaded.\"\"\"\n"
          "    found = currentProgram.getMemory().locateAddressesForFileOffset(offset)\n"
          "    return found[0] if len(found) else None\n\n\n"
          "def main():\n"
          "    for offset, length, kind, size in RANGES:\n"
          "        start = place(offset)\n"
          "        if start is None:\n"
          "            continue\n"
          "        if kind == 'code':\n"
          "            mark_code(start, length, size)\n"
          "        else:\n"
          "            mark_data(start, length, kind, size)\n"
          "    named = set()\n"
          "    for offset, name, routine in NAMES:\n"
          "        start = place(offset)\n"
          "        if start is not None:\n"
          "            mark_name(start, name, routine, offset not in named)\n"
          "            named.add(offset)\n"
          "    for offset, text in COMMENTS:\n"
          "        start = place(offset)\n"
          "        if start is not None:\n"
          "            setEOLComment(start, text)\n\n\n"
          "main()\n",
          out);
}

/* --- IDA ---------------------------------------------------------------------------------------------------------- */

static void begin_ida(FILE *out, const struct input *input)
{
    begin_python(out, input, "a script for IDA: File, Script file.");
    fputs(
        "import ida_bytes\nimport ida_funcs\nimport ida_idaapi\nimport ida_loader\nimport ida_name\nimport ida_ua\n\n",
        out);
}

static void end_ida(FILE *out)
{
    fputs("\n\ndef mark_code(start, length, size):\n"
          "    at = 0\n"
          "    while at < length:\n"
          "        # 0: this processor is not known to IDA; names and comments stand all the same\n"
          "        at += ida_ua.create_insn(start + at) or size\n\n\n"
          "def mark_data(start, length, size):\n"
          "    ida_bytes.del_items(start, 0, length)\n"
          "    flags = {4: ida_bytes.FF_DWORD, 8: ida_bytes.FF_QWORD}.get(size, ida_bytes.FF_BYTE)\n"
          "    step = size if size in (4, 8) else 1\n"
          "    for at in range(0, length, step):\n"
          "        ida_bytes.create_data(start + at, flags, step, ida_idaapi.BADADDR)\n\n\n"
          "def main():\n"
          "    for offset, length, kind, size in RANGES:\n"
          "        start = ida_loader.get_fileregion_ea(offset)\n"
          "        if start == ida_idaapi.BADADDR:\n"
          "            continue\n"
          "        if kind == 'code':\n"
          "            mark_code(start, length, size)\n"
          "        else:\n"
          "            mark_data(start, length, size)\n"
          "    others = {}\n"
          "    named = set()\n"
          "    for offset, name, routine in NAMES:\n"
          "        start = ida_loader.get_fileregion_ea(offset)\n"
          "        if start == ida_idaapi.BADADDR:\n"
          "            continue\n"
          "        if start in named:  # a place has one name in IDA\n"
          "            others.setdefault(offset, []).append(name)\n"
          "            continue\n"
          "        named.add(start)\n"
          "        if routine:\n"
          "            ida_funcs.add_func(start)\n"
          "        ida_name.set_name(start, name, ida_name.SN_NOCHECK | ida_name.SN_NOWARN | ida_name.SN_FORCE)\n"
          "    texts = dict(COMMENTS)\n"
          "    for offset in sorted(set(texts) | set(others)):\n"
          "        start = ida_loader.get_fileregion_ea(offset)\n"
          "        parts = others.get(offset, []) + ([texts[offset]] if offset in texts else [])\n"
          "        if start != ida_idaapi.BADADDR:\n"
          "            ida_bytes.set_cmt(start, '\\n'.join(parts), False)\n\n\n"
          "main()\n",
          out);
}

/* --- rizin -------------------------------------------------------------------------------------------------------- */

static void begin_rizin(FILE *out, const struct input *input)
{
    fputs("# SPDX-License-Identifier: MIT\n# Names, comments, code and data of ", out);
    write_python_string(out, input->file.name);
    fprintf(out, " (%s).\n# Made by `gpucode export --form names`: rizin -n -i names.rz FILE, where addresses are offsets.\n",
            gpucode_target_name(input->target));
}

static void begin_rizin_list(FILE *out, const char *name)
{
    fprintf(out, "# %s\n", name);
}

/* One argument: in single quotes only the quote and the backslash mean something. */
static void write_rizin_string(FILE *out, const char *text)
{
    putc('\'', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c >= ' ' && *c != 0x7f)
            fprintf(out, "%s%c", strchr("'\\", *c) ? "\\" : "", *c);
        else
            putc(' ', out);
    putc('\'', out);
}

static void put_rizin_range(FILE *out, const struct names_range *range)
{
    uint64_t units = range->size ? range->length / range->size : 0;
    if (range->kind == GPUCODE_UNIT_TEXT)
        fprintf(out, "Csa 0x%" PRIx64 " @ 0x%" PRIx64 "\n", range->length, range->offset);
    else if (range->kind != GPUCODE_UNIT_CODE)
        fprintf(out, "Cd %u %" PRIu64 " @ 0x%" PRIx64 "\n", range->size, units, range->offset);
}

static void put_rizin_name(FILE *out, uint64_t offset, const char *text, bool routine)
{
    (void)routine; /* no processor of rizin's has such code */
    fputs("f+ ", out);
    write_rizin_string(out, text);
    fprintf(out, " 1 @ 0x%" PRIx64 "\n", offset);
}

static void put_rizin_comment(FILE *out, uint64_t offset, const char *text)
{
    fputs("CCu ", out);
    write_rizin_string(out, text);
    fprintf(out, " @ 0x%" PRIx64 "\n", offset);
}

static void end_nothing(FILE *out)
{
    (void)out;
}

const struct names_form names_forms[] = {{"names_ghidra.py", begin_ghidra, begin_python_list, put_python_range,
                                          put_python_name, put_python_comment, end_python_list, end_ghidra},
                                         {"names_ida.py", begin_ida, begin_python_list, put_python_range,
                                          put_python_name, put_python_comment, end_python_list, end_ida},
                                         {"names.rz", begin_rizin, begin_rizin_list, put_rizin_range, put_rizin_name,
                                          put_rizin_comment, end_nothing, end_nothing},
                                         {0}};
