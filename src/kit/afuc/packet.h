/* SPDX-License-Identifier: MIT */
/* PM4 packets from text: "CP_MEM_WRITE 0x100000 0 0xcafe" is type 7, "@CP_SCRATCH[0].REG 1" type 4. */
#ifndef KIT_AFUC_PACKET_H
#define KIT_AFUC_PACKET_H

#include <gpucode/diagnostic.h>
#include <gpucode/names.h>
#include <gpucode/packet.h>
#include <stdint.h>

struct session;

#define PACKET_WORDS_MAX (GPUCODE_PACKET_COUNT7_MAX + 1) /* header included */

/*
 * Reads one packet into `words` (room: PACKET_WORDS_MAX). Complains about what is none and returns an exit code; *count
 * is 0 for a line without a packet. `place` has the file and line that the text stands in, as its source; without a
 * file it is all zeros.
 */
int packet_read(struct session *session, const struct gpucode_target *target, const struct gpucode_names *names,
                const char *text, const struct gpucode_diagnostic *place, uint32_t *words, unsigned *count);

#endif
