/* SPDX-License-Identifier: MIT */
/*
 * How fast the AFUC machine runs, beside a native loop that does the same work; with the coverage map, with edges;
 * boots; and snapshots with a restore.
 */
#include "measure.h"

#include <gpucode/gpucode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of one measurement, short enough to have the processor alone now and then; and how many there are. */
#define INSNS UINT64_C(1000000)
#define TIMES 60

/* What the machine runs; each is a loop without an end. Those other than the first are more like firmware. */
static const struct {
    const char *name, *text;
    unsigned goal; /* million instructions/s without hooks; 0: none */
} loops[] = {
    {"calculation",
     "[016ee001]\n[01000000]\nloop:\n"
     "add $02, $02, 0x7\nxor $03, $03, $02\nrot $03, $03, 0x3\nand $04, $03, 0xff\n"
     "sub $05, $04, $02\nmax $06, $05, $04\nbrne $02, 0x3, #loop\nadd $07, $07, $06\n",
     1500},
    {"bit fields",
     "[01730001]\n[01000000]\nloop:\n"
     "add $02, $02, 0x1357\nubfx $03, $02, b4, b11\nshl $04, $02, 0x5\nxor $05, $05, $04\nbreq $02, b1, #odd\n"
     "bfi $06, $03, b8, b15\nand $08, $05, 0xfff\njump #next\nor $07, $07, $08\n"
     "odd: not $08, $05\nushr $09, $08, 0x3\nand $07, $09, $04\nsetbit $06, $06, b3\n"
     "next: msb $0a, $07\ncmp $0b, $0a, 0x10\nmov $0c, 0x1234\nmov $0d, $0c\nbrne $0b, 0x1, #loop\n"
     "add $07, $07, $0d\n",
     0},
    {"subroutines",
     "[016ee001]\n[01000000]\nloop:\n"
     "mov $02, 0x40\ncall #twice\nadd $03, $03, 0x1\ncall #mix\nmov $04, $03\nbrne $00, 0x1, #loop\n"
     "add $07, $07, $05\n"
     "twice: call #mix\nadd $02, $02, $02\nret\nmov $04, $02\n"
     "mix: xor $05, $05, $04\nrot $05, $05, 0x5\nret\nsub $05, $05, $02\n",
     0},
    {"memory",
     "[016ee001]\n[01000000]\nmov $0b, 0x1\nloop:\n"
     "cwrite $0b, [$00 + @LOAD_STORE_HI]\nmov $03, 0x1000\nmov $04, 0x2000\nmov $05, 0x40\n"
     "next: load $06, [$03 + 0x0]\nadd $03, $03, 0x4\nadd $06, $06, $02\nstore $06, [$04 + 0x0]\n"
     "add $04, $04, 0x4\nsub $05, $05, 0x1\nbrne $05, 0x0, #next\nadd $07, $07, $06\n"
     "jump #loop\nadd $02, $02, 0x3\n",
     0},
    {"registers",
     "[016ee001]\n[01000000]\nloop:\n"
     "cread $02, [$00 + @IB_LEVEL]\nand $02, $02, 0x3\nbreq $02, 0x3, #loop\nadd $03, $03, 0x1\n"
     "breq $03, b2, #other\nswrite $03, [$00 + %SP + 0x4]\njump #join\nmov $04, 0x80\n"
     "other: cread $04, [$00 + @MEM_READ_DWORDS]\nadd $04, $04, $03\ncwrite $04, [$00 + @MEM_READ_DWORDS]\n"
     "join: ushr $05, $04, 0x4\nbrne $05, b3, #loop\nnop\njump #loop\nadd $07, $07, $04\n",
     0},
};

/* Copies the packet table, as firmware does first; followed by code up to 20,000 words. */
static const char boot[] = "[016ee001]\n[#jumptbl]\n"
                           "mov $02, 0x1000\nmov $04, #jumptbl << 2\nadd $02, $02, $04\nmov $rem, 0x80\n"
                           "cwrite $02, [$00 + @MEM_READ_ADDR]\ncwrite $rem, [$00 + @MEM_READ_DWORDS]\n"
                           "cwrite $00, [$00 + @PACKET_TABLE_WRITE_ADDR]\n"
                           "(rep)cwrite $memdata, [$00 + @PACKET_TABLE_WRITE]\nwaitin\nmov $01, $data\n"
                           "CP_NOP: (rep)mov $00, $data\nwaitin\nmov $01, $data\nadd $03, $04, $05\n"
                           ".org 19872\njumptbl: .jumptbl\n";

static struct gpucode_program *assemble(const char *text)
{
    struct gpucode_program *program;
    if (gpucode_assemble(text, strlen(text), NULL, &program) != GPUCODE_OK)
        fail("the program does not assemble");
    return program;
}

static struct gpucode_image *open_image(const struct gpucode_program *program)
{
    struct gpucode_image *image;
    if (gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), NULL, &image) != GPUCODE_OK)
        fail("the image does not open");
    return image;
}

/* The work of the first loop, one step an instruction, in seconds; registers in memory so that the compiler leaves it
 * in place. */
static double native(uint64_t insns)
{
    volatile uint32_t registers[8] = {0};
    double start = processor_now();
    for (uint64_t i = 0; i < insns; i += 8) {
        registers[2] = registers[2] + 7;
        registers[3] = registers[3] ^ registers[2];
        registers[3] = registers[3] << 3 | registers[3] >> 29;
        registers[4] = registers[3] & 0xff;
        registers[5] = registers[4] - registers[2];
        registers[6] = registers[5] > registers[4] ? registers[5] : registers[4];
        registers[7] = registers[7] + registers[6];
        if (registers[2] == 3)
            break;
    }
    return processor_now() - start;
}

static int compare_times(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/*
 * Others on the computer, and a processor that changes its clock, make single measurements slower: prints the best one,
 * and the middle one of the ratios to a native loop that runs beside each.
 */
static void print_speed(struct gpucode_machine *machine, const char *what, const char *how, unsigned goal)
{
    double best = 1, ratios[TIMES];
    for (unsigned i = 0; i < TIMES; i++) {
        struct gpucode_stop stop;
        double yardstick = native(INSNS), start = processor_now();
        if (gpucode_machine_run(machine, INSNS, &stop) != INSNS)
            fail(stop.text);
        double spent = processor_now() - start;
        best = spent < best ? spent : best;
        ratios[i] = spent / yardstick;
    }
    qsort(ratios, TIMES, sizeof *ratios, compare_times);
    printf("run, %-12s %-15s %8.1f million instructions/s, native loop %.2f times as fast", what, how,
           (double)INSNS / best / 1e6, ratios[TIMES / 2]);
    if (goal)
        printf(" (goal %u)", goal);
    printf("\n");
}

static void speed(unsigned number)
{
    static uint8_t map[GPUCODE_EDGES_SIZE * 2];
    const char *name = loops[number].name;
    struct gpucode_program *program = assemble(loops[number].text);
    struct gpucode_image *image = open_image(program);
    struct gpucode_machine *machine;
    if (gpucode_machine_create(image, NULL, &machine) != GPUCODE_OK)
        fail("no machine");
    print_speed(machine, name, "no hooks", loops[number].goal);
    if (gpucode_machine_edges(machine, map, sizeof map) != GPUCODE_OK)
        fail("no edges");
    print_speed(machine, name, "edges", loops[number].goal ? 600 : 0);
    gpucode_machine_coverage(machine, true);
    print_speed(machine, name, "edges, coverage", loops[number].goal ? 600 : 0);
    gpucode_machine_edges(machine, NULL, 0);
    print_speed(machine, name, "coverage", loops[number].goal ? 600 : 0);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    gpucode_program_free(program);
}

static void boots(void)
{
    struct gpucode_program *program = assemble(boot);
    double create = 0, run = 0;
    const unsigned count = 100;
    unsigned words = (unsigned)gpucode_program_size(program) / 4;
    for (unsigned i = 0; i < count; i++) {
        struct gpucode_machine *machine;
        struct gpucode_stop stop;
        double start = now();
        struct gpucode_image *image = open_image(program);
        if (gpucode_machine_create(image, NULL, &machine) != GPUCODE_OK)
            fail("no machine");
        double middle = now();
        gpucode_machine_run(machine, 100000, &stop);
        if (stop.reason != GPUCODE_STOP_IDLE)
            fail(stop.text);
        run += now() - middle;
        create += middle - start;
        gpucode_machine_free(machine);
        gpucode_image_free(image);
    }
    printf("boot, %u words  %8.3f ms: %.3f opening and decoding, %.3f running (goal 2)\n", words,
           (create + run) / count * 1e3, create / count * 1e3, run / count * 1e3);
    gpucode_program_free(program);
}

static void snapshots(void)
{
    struct gpucode_program *program = assemble(boot);
    struct gpucode_image *image = open_image(program);
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    const unsigned count = 20000;
    const uint32_t packet[] = {0x70108003, 1, 2, 3};
    const unsigned char zeros[4096] = {0};
    if (gpucode_machine_create(image, NULL, &machine) != GPUCODE_OK)
        fail("no machine");
    for (uint64_t page = 0; page < 4096; page++) /* 16 MiB that do not change */
        gpucode_machine_store(machine, UINT64_C(0x100000000) + 4096 * page, zeros, sizeof zeros);
    gpucode_machine_run(machine, 100000, &stop);
    double spent = 0, worked = 0;
    for (unsigned i = 0; i < count; i++) {
        struct gpucode_snapshot *snapshot;
        double start = now();
        if (gpucode_machine_snapshot(machine, &snapshot) != GPUCODE_OK)
            fail("no snapshot");
        double middle = now();
        gpucode_machine_feed(machine, 0, packet, 4);
        gpucode_machine_run(machine, 100, &stop);
        for (uint64_t page = 0; page < 3; page++)
            gpucode_machine_store(machine, UINT64_C(0x100000000) + 4096 * 7 * page, packet, 4);
        double end = now();
        gpucode_machine_restore(machine, snapshot);
        spent += now() - end + middle - start;
        worked += end - middle;
        gpucode_snapshot_free(snapshot);
    }
    printf("snapshot, restore  %8.2f us, and %.2f for a packet and three pages changed in between (goal 10)\n",
           spent / count * 1e6, worked / count * 1e6);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    gpucode_program_free(program);
}

int main(void)
{
    for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++)
        speed(i);
    boots();
    snapshots();
    return 0;
}
