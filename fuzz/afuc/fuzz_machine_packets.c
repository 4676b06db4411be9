/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as words in the ring buffer of a small firmware with packets for registers, memory, indirect buffers and
 * draw state. Whatever they are, the machine stops within its limit and says why.
 */
#include "check.h"
#include <gpucode/gpucode.h>
#include <stdlib.h>
#include <string.h>

static const char firmware[] =
    "[016ee001]\n[#jumptbl]\nmov $02, 0x1000\nmov $04, #jumptbl << 2\nadd $02, $02, $04\nmov $rem, 0x80\n"
    "cwrite $02, [$00 + @MEM_READ_ADDR]\ncwrite $rem, [$00 + @MEM_READ_DWORDS]\n"
    "cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]\n(rep)cwrite $memdata, [$00 + @PACKET_TABLE_WRITE]\nwaitin\nmov $01, "
    "$data\n"
    "CP_NOP: (rep)(xmov3)mov $00, $data\nwaitin\nmov $01, $data\n"
    "PKT4: ushr $02, $01, 0x8\nand $usraddr, $02, 0xffff\n(rep)(xmov1)mov $data, $data\nwaitin\nmov $01, $data\n"
    "CP_CONTEXT_REG_BUNCH: (rep)(xmov3)mov $usraddr, $data\nwaitin\nmov $01, $data\n"
    "CP_MEM_WRITE: mov $addr, 0xa0 << 24\nmov $data, $data\nmov $data, $data\nmov $addr, 0xa204 << 16\n"
    "(rep)(xmov1)mov $data, $data\nwaitin\nmov $01, $data\n"
    "CP_INDIRECT_BUFFER: cread $05, [$00 + @IB_LEVEL]\nshl $06, $05, 0x2\n"
    "cwrite $data, [$06 + @IB1_BASE]\ncwrite $data, [$06 + @IB1_BASE+0x1]\ncwrite $data, [$06 + @IB1_DWORDS]\n"
    "add $05, $05, 0x1\ncwrite $05, [$00 + @IB_LEVEL]\nwaitin\nmov $01, $data\n"
    "CP_SET_DRAW_STATE: (rep)(sds2)cwrite $data, [$00 + @DRAW_STATE_SET_HDR]\nwaitin\nmov $01, $data\n"
    "CP_REG_TO_SCRATCH: mov $02, $data\n(rep)cwrite $data, [$02 + 0x1]!\nwaitin\nmov $01, $data\n"
    "CP_MEMCPY: mov $02, $data\nmov $03, $data\nmov $rem, $data\ncwrite $02, [$00 + @MEM_READ_ADDR]\n"
    "cwrite $rem, [$00 + @MEM_READ_DWORDS]\n(rep)store $memdata, [$03 + 0x4]!\nwaitin\nmov $01, $data\n"
    ".align 32\njumptbl:\n.jumptbl\n";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    /* booted once; each input begins at the same snapshot */
    static struct gpucode_machine *machine;
    static struct gpucode_snapshot *start;
    static struct gpucode_program *program;
    static struct gpucode_image *image;
    struct gpucode_stop stop = {0};
    if (!machine) {
        if (gpucode_assemble(firmware, sizeof firmware - 1, NULL, &program) != GPUCODE_OK ||
            gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), NULL, &image) !=
                GPUCODE_OK ||
            gpucode_machine_create(image, NULL, &machine) != GPUCODE_OK)
            abort();
        gpucode_machine_run(machine, 10000, &stop);
        if (stop.reason != GPUCODE_STOP_IDLE || gpucode_machine_snapshot(machine, &start) != GPUCODE_OK)
            abort();
    }
    gpucode_machine_restore(machine, start);
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word =
            bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16 | (uint32_t)bytes[i + 3] << 24;
        /* most inputs are not packets by parity alone: the first word of every four is made a header */
        if (i % 16 == 0 && size > 4 && bytes[size - 1] & 1)
            word = gpucode_packet_type7(word >> 16, word & 3);
        gpucode_machine_feed(machine, 0, &word, 1);
    }
    if (gpucode_machine_run(machine, 5000, &stop) > 5000)
        abort();
    if (stop.reason != GPUCODE_STOP_LIMIT && (!stop.code || !gpucode_explain(stop.code)))
        abort();
    return 0;
}
