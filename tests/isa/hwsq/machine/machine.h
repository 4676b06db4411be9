/* SPDX-License-Identifier: MIT */
/* A machine made from HWSQ text, for the tests of what it does. */
#ifndef HWSQ_TEST_MACHINE_H
#define HWSQ_TEST_MACHINE_H

#include "support.h"

struct rig {
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
};

/* `settings` ends with a null name, or is null. Asserts that all goes well. */
struct rig rig_up(const char *target, const char *text, const struct gpucode_setting *settings);
void rig_down(struct rig *rig);
/* Runs until it stands still, at most 10,000 opcodes; returns how many. */
uint64_t rig_run(struct rig *rig);
/* The host's view of a register; asserts that the access gets through. */
uint32_t rig_read(struct rig *rig, uint32_t address);
void rig_write(struct rig *rig, uint32_t address, uint32_t value);
/* Does a host access get through? */
bool rig_reaches(struct rig *rig, uint32_t address);
/* A register as the hardware uses it. */
uint32_t rig_effective(struct rig *rig, uint32_t address);
/* General registers of a slot: "IP", "ADDR", "DATA", "RUNNING", "ILLEGAL". */
uint32_t rig_general(struct rig *rig, unsigned slot, const char *name);
void rig_event(struct rig *rig, unsigned event, uint32_t value);

#define SET(...) ((const struct gpucode_setting[]){__VA_ARGS__, {NULL, NULL}})

#define DEBUG_6 0x1098
#define ENTRY_POINT 0x1304
#define STATUS 0x1308
#define TRIGGER 0x130c
#define FLAGS_0 0x1310
#define FLAGS_1 0x1314
#define ENTRY_POINT_HIGH 0x1318
#define EVENTS 0x1578

#endif
