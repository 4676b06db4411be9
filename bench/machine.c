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

#define INSNS UINT64_C(100000000)

static const char loop[] = "[016ee001]\n[01000000]\nloop:\n"
                           "add $02, $02, 0x7\nxor $03, $03, $02\nrot $03, $03, 0x3\nand $04, $03, 0xff\n"
                           "sub $05, $04, $02\nmax $06, $05, $04\nbrne $02, 0x3, #loop\nadd $07, $07, $06\n";

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

/* The work of the loop, one step an instruction; registers in memory so that the compiler leaves it in place. */
static double native(uint64_t insns)
{
    volatile uint32_t registers[8] = {0};
    double start = now();
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
    return (double)insns / (now() - start) / 1e6;
}

/* The best of several runs: others on the computer make single ones slower. */
static double emulated(struct gpucode_machine *machine, uint64_t insns)
{
    struct gpucode_stop stop;
    double best = 0;
    for (unsigned i = 0; i < 5; i++) {
        double start = now();
        if (gpucode_machine_run(machine, insns, &stop) != insns)
            fail("the loop did not run");
        double speed = (double)insns / (now() - start) / 1e6;
        best = speed > best ? speed : best;
    }
    return best;
}

static void print_speed(const char *what, double speed, double yardstick, unsigned goal)
{
    printf("run, %-14s %8.1f million instructions/s, native loop %.1f, ratio %.2f (goal %u)\n", what, speed, yardstick,
           yardstick / speed, goal);
}

static void speed(void)
{
    static uint8_t map[GPUCODE_EDGES_SIZE * 2];
    struct gpucode_program *program = assemble(loop);
    struct gpucode_image *image = open_image(program);
    struct gpucode_machine *machine;
    if (gpucode_machine_create(image, NULL, &machine) != GPUCODE_OK)
        fail("no machine");
    double yardstick = native(INSNS);
    print_speed("no hooks", emulated(machine, INSNS), yardstick, 1500);
    if (gpucode_machine_edges(machine, map, sizeof map) != GPUCODE_OK)
        fail("no edges");
    print_speed("edges", emulated(machine, INSNS), yardstick, 600);
    gpucode_machine_coverage(machine, true);
    print_speed("edges, coverage", emulated(machine, INSNS), yardstick, 600);
    gpucode_machine_edges(machine, NULL, 0);
    print_speed("coverage", emulated(machine, INSNS), yardstick, 600);
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
    speed();
    boots();
    snapshots();
    return 0;
}
