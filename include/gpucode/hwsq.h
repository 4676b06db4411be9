/* SPDX-License-Identifier: MIT */
/*
 * HWSQ: what the hook of a machine sees of a sequencer script.
 *
 *     static bool see(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
 *     {
 *         if (event->kind == GPUCODE_EVENT_WRITE)
 *             printf("%llu: %06llx <= %08llx\n", event->time, event->address, event->value);
 *         return false;
 *     }
 *     gpucode_machine_hook(machine, GPUCODE_EVENT_WRITE | GPUCODE_EVENT_ACTION, see, NULL);
 *
 * GPUCODE_EVENT_ACTION, by event->space:
 * - GPUCODE_SPACE_FLAG: address = flag, value = 0 (no override), 2 (forced to 0) or 3 (forced to 1), old likewise, with
 *   bit 0 of an unset flag what it was before;
 * - GPUCODE_SPACE_EVENT: an ewait begins; address = event, value = what is waited for;
 * - GPUCODE_SPACE_GENERAL: address = enum gpucode_hwsq_action.
 * GPUCODE_EVENT_READ in GPUCODE_SPACE_EVENT: an ewait has ended; old = the time when it began.
 * GPUCODE_EVENT_WRITE in GPUCODE_SPACE_GPU: a register write goes out; address in bytes.
 * event->time is in PTIMER clocks, event->pc the address of the opcode.
 */
#ifndef GPUCODE_HWSQ_H
#define GPUCODE_HWSQ_H

#include <gpucode/answer.h>
#include <gpucode/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* PTIMER clocks of one wait unit. */
#define GPUCODE_HWSQ_UNIT_CLOCKS 32

enum gpucode_hwsq_action {
    GPUCODE_HWSQ_WAIT,    /* a wait begins; value = its units */
    GPUCODE_HWSQ_EXIT,    /* the script has ended */
    GPUCODE_HWSQ_ILLEGAL, /* an illegal opcode, value, hangs the slot */
};

/* What is known of a HWSQ target. */
struct gpucode_hwsq_facts {
    const char *chipset; /* "G94"; null for a variant that is several chipsets */
    uint32_t id;         /* chipset field of PMC.ID (bits 27:20 of register 0); 0 for such a variant */
    uint32_t code_bytes; /* code RAM */
    uint32_t window;     /* register where all of the code RAM begins */
    unsigned slots;      /* 1 or 2 */
    bool unknown_hangs;  /* else an unknown opcode is one byte that does nothing */
};

/* False when the target is not HWSQ's. Any thread. */
GPUCODE_API bool gpucode_hwsq_facts(const struct gpucode_target *target, struct gpucode_hwsq_facts *facts);
/* The target of a chipset by its id; null: unknown, or without HWSQ. Any thread. */
GPUCODE_API const struct gpucode_target *gpucode_hwsq_target(uint32_t id);
/* Units of the wait with that opcode (0x00 to 0x3f; else 0). */
GPUCODE_API uint64_t gpucode_hwsq_wait_units(unsigned opcode);

/*
 * Puts into an answer what a script does, in sentences: it waits for a blank, stops memory and for how long, sets a PLL
 * to so many MHz where the chip's formula is known. The machine is run from where it stands, at most `limit` opcodes
 * (UINT64_MAX: without a limit), and its hook is taken away; what options and policies say of it, and names, are those
 * that it was made with. `file`: the script's name in the answer, or null. The fields are those of
 * gpucode_hwsq_explain_table(). Returns GPUCODE_OK, whatever way the script ends, GPUCODE_ERROR_UNSUPPORTED (the
 * machine is not HWSQ's), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT; only after GPUCODE_OK something is put. One
 * thread at a time may use a machine and an answer. Sources: Linux, drivers/gpu/drm/nouveau/nvkm/subdev, clk/nv40.c,
 * clk/nv50.c and fb/ramnv50.c.
 */
GPUCODE_API enum gpucode_status gpucode_hwsq_explain(struct gpucode_machine *machine, const char *file, uint64_t limit,
                                                     struct gpucode_answer *answer);
/* Any thread. */
GPUCODE_API const struct gpucode_answer_table *gpucode_hwsq_explain_table(void);

/* How a script was found. */
enum gpucode_hwsq_origin {
    GPUCODE_HWSQ_TRIGGERED, /* a trace of register accesses: uploaded and started */
    GPUCODE_HWSQ_UPLOADED,  /* uploaded, and never started while it was in the code RAM */
    GPUCODE_HWSQ_VBIOS,     /* an entry of the HWSQ table of a VBIOS */
    GPUCODE_HWSQ_LOG,       /* a dump in a log */
};

/* All pointers are valid during the callback only. */
struct gpucode_hwsq_script {
    enum gpucode_hwsq_origin origin;
    const struct gpucode_target *target;
    const unsigned char *bytes;
    size_t size;
    uint32_t address; /* where the first byte stands in the code RAM */
    uint64_t line;    /* text: 1 = first; of the trigger, the last upload or the dump. VBIOS: offset of the entry */
    double time;      /* seconds, as the trace has it; 0 where there is none */
    unsigned device;  /* PCI bus and device of a trace, bus << 8 | devfn; 0 where there is none */
    unsigned entry;   /* traces: which entry point; VBIOS: index of the table's entry */
    char slot;        /* traces: 'A' or 'B', 0 when not started or with one slot */
    uint32_t entry_points; /* VBIOS: the value for ENTRY_POINT */
    unsigned starts;       /* how often it was started before it changed */
    bool complete;         /* ends in an exit, and all of it was seen */
};

struct gpucode_hwsq_extract_options {
    const struct gpucode_target *target; /* wins over what the file says; null: the file must say */
    const char *file_name;               /* for the diagnostic handler; may be null */
    struct gpucode_diagnostic_handler on_diagnostic;
    void (*script)(void *user, const struct gpucode_hwsq_script *script);
    void *user;
};

/*
 * Finds scripts in a Linux mmiotrace (register accesses of a driver), in a VBIOS image (its BMP `HWSQ` table) or in a
 * log (hex after the word hwsq), whichever `bytes` are. *count (may be null) receives how many there were. Returns
 * GPUCODE_OK, also for none, GPUCODE_ERROR_INPUT (the diagnostic handler was told), GPUCODE_ERROR_MEMORY or
 * GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_hwsq_extract(const void *bytes, size_t size,
                                                     const struct gpucode_hwsq_extract_options *options,
                                                     unsigned *count);

#ifdef __cplusplus
}
#endif
#endif
