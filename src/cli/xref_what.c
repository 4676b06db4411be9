/* SPDX-License-Identifier: MIT */
/* What WHAT of `xref` means: places of code, registers of a space, a number in all of them, memory. */
#include "cli/xref.h"
#include "front/session.h"

#include <stdlib.h>
#include <string.h>

/* Characters in front of a register's name, and its space. */
static const struct {
    char mark;
    unsigned space;
} marks[] = {{'@', GPUCODE_SPACE_CONTROL}, {'%', GPUCODE_SPACE_SQE}, {'|', GPUCODE_SPACE_PIPE}};

static void want(struct xref_what *what, struct xref_wanted wanted)
{
    if (what->count < XREF_WANTED_MAX)
        what->wanted[what->count++] = wanted;
}

static void want_register(struct xref_what *what, unsigned space, uint32_t number)
{
    want(what, (struct xref_wanted){.space = space, .number = number, .any_section = true});
}

static bool read_number(const char *text, uint32_t *number)
{
    char *end;
    if (strncmp(text, "0x", 2) != 0 || !text[2])
        return false;
    unsigned long value = strtoul(text, &end, 16);
    *number = (uint32_t)value;
    return !*end && value <= UINT32_MAX;
}

/* A general register as the set writes it; some are called otherwise where they are written. */
static void want_general(const struct understood *understood, const char *text, struct xref_what *what)
{
    const struct gpucode_target *target = understood->input->target;
    char name[GPUCODE_NAME_MAX];
    for (uint32_t i = 0; gpucode_analysis_register(target, i, false, name, sizeof name); i++) {
        struct xref_wanted wanted = {.space = GPUCODE_SPACE_GENERAL, .number = i, .any_section = true};
        wanted.not_read = strcmp(name, text) != 0;
        wanted.not_written = !gpucode_analysis_register(target, i, true, name, sizeof name) || strcmp(name, text) != 0;
        if (!wanted.not_read || !wanted.not_written)
            want(what, wanted);
    }
}

static bool want_marked(const struct understood *understood, const char *text, struct xref_what *what)
{
    uint32_t number;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (*text == marks[i].mark) {
            bool known = read_number(text + 1, &number) ||
                         gpucode_number_of(understood->input->target, input_names(understood->input), marks[i].space,
                                           text + 1, strlen(text + 1), &number);
            if (known)
                want_register(what, marks[i].space, number);
            return true;
        }
    return false;
}

int xref_understand(const struct understood *understood, const char *text, struct xref_what *what)
{
    uint32_t number;
    *what = (struct xref_what){.text = text};
    if (strcmp(text, "memory") == 0) {
        want(what, (struct xref_wanted){.space = GPUCODE_SPACE_MEMORY, .any_section = true, .any_number = true});
    } else if (read_number(text, &number)) {
        want_register(what, GPUCODE_SPACE_CONTROL, number);
        want_register(what, GPUCODE_SPACE_SQE, number);
        want_register(what, GPUCODE_SPACE_GPU, number);
    } else if (!want_marked(understood, text, what)) {
        want_general(understood, text, what);
        for (unsigned i = 0; i < understood->info->section_count; i++)
            if (understood_find(understood, i, text, &number))
                want(what, (struct xref_wanted){.space = GPUCODE_SPACE_CODE, .number = number, .section = i});
        if (!what->count && gpucode_number_of(understood->input->target, input_names(understood->input),
                                              GPUCODE_SPACE_GPU, text, strlen(text), &number))
            want_register(what, GPUCODE_SPACE_GPU, number);
    }
    return what->count ? EXIT_DONE : understood_no_place(understood, text);
}

bool xref_wants(const struct xref_what *what, const struct gpucode_reference *reference)
{
    for (unsigned i = 0; i < what->count; i++) {
        const struct xref_wanted *wanted = &what->wanted[i];
        if (wanted->space == reference->space && (wanted->any_section || wanted->section == reference->section) &&
            (wanted->any_number || wanted->number == reference->number) &&
            !(wanted->not_read && reference->kind == GPUCODE_REFERENCE_READ) &&
            !(wanted->not_written && reference->kind == GPUCODE_REFERENCE_WRITE))
            return true;
    }
    return false;
}
