/* SPDX-License-Identifier: MIT */
/*
 * How much of each routine of AFUC firmware ran. A routine begins at a packet handler, at the target of a call or at
 * the start of a section, and ends where the next one begins, as the blank lines of the listing show it.
 */
#ifndef KIT_AFUC_ROUTINES_H
#define KIT_AFUC_ROUTINES_H

#include "front/disassembly.h"
#include "front/input.h"
#include <gpucode/machine.h>
#include <gpucode/names.h>
#include <stdint.h>

struct routine {
    unsigned section;
    uint32_t first;             /* unit of the image */
    uint32_t instructions, ran; /* words of it */
    char name[GPUCODE_NAME_MAX];
    char symbol[GPUCODE_NAME_MAX]; /* a user's name of it, beside that of a handler; "": none */
    unsigned more;                 /* handlers that begin at the same place, beside the one named */
};

struct routines {
    const struct input *input;
    const struct gpucode_image_info *info;
    struct disassembly listing; /* what `disasm` writes */
    uint8_t *ran;               /* per unit */
    bool *present;              /* per section: it is asked for, and the machine has a processor for it */
    struct routine *list;
    size_t count;
};

/*
 * Takes what ran from the machine, whose coverage is switched on, in one section or (null) in all that have a
 * processor. Anything but GPUCODE_OK: there is nothing to free.
 */
enum gpucode_status routines_find(struct routines *routines, const struct input *input,
                                  const struct gpucode_machine *machine, const char *section);
void routines_free(struct routines *routines);

/* Is the unit an instruction of a section that the machine has? What ran is one, whatever its text. */
bool routines_is_insn(const struct routines *routines, uint32_t unit);
/* The section that a unit lies in. */
unsigned routines_section(const struct routines *routines, uint32_t unit);

#endif
