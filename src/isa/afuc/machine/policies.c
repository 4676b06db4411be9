/* SPDX-License-Identifier: MIT */
/* What is not documented of the machine, or documents contradict each other on, and what a host would set up. */
#include "afuc_messages.h"
#include "isa/afuc/machine/exec.h"

#include "base/text.h"

#include <string.h>

#define MEQ_LEAST 8 /* more words than an instruction writes, or takes at once */

const struct gpucode_policy afuc_policies[] = {
    {"afuc-bfi", "replace|or", "replace",
     "Whether bfi clears the field that it writes to. Firmware uses it on registers with old contents, which makes "
     "sense only if it "
     "does; the reference emulator only ORs."},
    {"afuc-shift", "modulo|zero", "modulo",
     "Shifts by 32 and more: by the low five bits of the count, as the reference was seen to do, or so that nothing is "
     "left "
     "(ishr: only the sign). rot always counts modulo 32."},
    {"afuc-delay", "fault|reference", "fault",
     "A taken branch in the delay slot of a taken branch, which the manual forbids: a fault, or what the reference "
     "does (one "
     "instruction at the first target, then the second target)."},
    {"afuc-range", "fault|wrap", "fault",
     "Numbers past the end of the control or SQE registers: a fault, or counted from the start again."},
    {"afuc-zero", "nop|fault", "nop",
     "Words with a zero top byte on a6xx and later, where nop has 01: the top five bits say nop; the manual supposes "
     "that the "
     "processor stops."},
    {"afuc-parity", "check|ignore", "check", "Whether a header with wrong parity bits is a fault."},
    {"afuc-ib-return", "hardware|firmware", "hardware",
     "Who lowers IB_LEVEL when a buffer is used up: hardware, when waitin finds the level empty, or nobody but the "
     "firmware."},
    {"afuc-ib-levels", "ib3-sds|sds-ib3", "ib3-sds",
     "What IB_LEVEL 3 and 4 mean on a7xx and later: IB3 and draw state, or the other way round. On a6xx 3 is draw "
     "state."},
    {"afuc-draw-state", "draw|waitin|firmware", "draw",
     "Who runs the draw-state groups of a7xx and later, and when: hardware before the next packet that draws; hardware "
     "before the next packet; or nobody but the firmware, as on a6xx."},
    {"afuc-unaligned", "fault|align", "fault",
     "Memory addresses that are not multiples of 4: a fault, or the low two bits are ignored."},
    {"afuc-setsecure", "success|failure", "success",
     "Whether setsecure succeeds and skips two instructions. The secure shader itself is not modelled."},
    {"afuc-rem", "stay|wrap", "stay",
     "Reading $data while $rem is 0: $rem stays 0, or becomes 0xffffffff as in the reference."},
    {"afuc-increment", "reference|before|after", "reference",
     "What cwrite, swrite and store write whose source is the offset register that '!' steps: its value before the "
     "step "
     "for cwrite and swrite and the one after it for store, as in the reference; or before, or after, for all three. "
     "Before also means that the source is read first, which matters when reading it changes the offset register "
     "($data "
     "and $rem)."},
    {"afuc-sources", "first|second", "first",
     "Which of two sources is read first, which matters for $data beside $rem and for two queues. The reference leaves "
     "it to the compiler that it was built with."},
    {"afuc-peek", "zero|wait", "zero", "(peek) at $data with nothing in the queue: gives 0, or waits."},
    {"afuc-preempt", "enter|ignore", "enter",
     "PREEMPT_TRIGGER bit 0 set when waitin runs: control goes to %PREEMPT_INSTR and iret comes back to the waitin; or "
     "nothing "
     "happens."},
    {"afuc-coprocessors", "run|stub", "run",
     "Starting BV, LPAC or DDE: their code runs, or THREAD_SYNC is changed as their boot would (what happens in any "
     "case for a "
     "section that the image does not have)."},
    {"afuc-event-order", "last|first", "last",
     "EVENT_TS_ADDR, EVENT_TS_CTRL and EVENT_TS_DATA of what an event writes when it is done: written before its "
     "EVENT_CMD, or after it. The register database shows the registers and how many such writes an event has, not the "
     "order."},
    {"afuc-event-on-chip", "index|number|none", "index",
     "Where an event of a7xx and later writes whose EVENT_TS_CTRL says on-chip memory, which the manual has in the "
     "shared "
     "scratch of control registers: EVENT_TS_ADDR counts from its start, or is the number of a control register; or "
     "nothing is written."},
    {"afuc-meq", "data|unselected|none", "data",
     "Which words of the PFP of an a5xx go to the queue that the ME reads, in an image that has both: all that it "
     "writes to $data, as the manual has it write registers through @REG_WRITE alone; or those that it writes while "
     "$addr and $usraddr select nothing (0), so that it has register writes of the ME's kind too; or none: each runs "
     "with the packets that it is fed."},
    {"afuc-meq-words", "NUMBER", "64",
     "Words that this queue holds; at a full one the PFP waits. 64 is what drivers write to CP_MEQ_THRESHOLDS of an "
     "a530, which says in what order of magnitude it is. At least 8."},
    {"afuc-processor", "all|BR|BV|LPAC|DDE|PFP|PM4", "all",
     "Which processor gpucode_machine_run() runs: all that were started (the first section's is from the beginning), "
     "or one alone, "
     "started at once."},
    {"afuc-quantum", "NUMBER", "100",
     "Instructions that a processor runs before the next one has its turn; at least 1."},
    {"afuc-memory", "NUMBER", "8",
     "GiB of memory from address 0 on that are there without being mapped, filled with zeros. All other memory must be "
     "mapped by "
     "the host or is a fault to touch."},
    {"afuc-base", "NUMBER", "0x1000", "Where in memory the image lies."},
    {"afuc-answer", "TEXT", "",
     "NAME=VALUE or @NAME=VALUE: reads of that GPU or control register always give the value, to end loops that wait "
     "for hardware. May "
     "be given any number of times; registers also go by number."},
    {NULL, NULL, NULL, NULL},
};

static bool read_answer(struct machine_core *core, const char *text, struct afuc_answer *answer)
{
    const char *equals = strchr(text, '=');
    answer->gpu = *text != '@';
    const char *name = answer->gpu ? text : text + 1;
    if (!equals || equals == name || !equals[1])
        return false;
    const char *end = text + strlen(text);
    uint64_t value, number;
    if (text_read_number(equals + 1, end, &value) != end || value > UINT32_MAX)
        return false;
    answer->value = (uint32_t)value;
    uint32_t count = answer->gpu ? GPU_COUNT : CONTROL_COUNT;
    if (*name >= '0' && *name <= '9') {
        if (text_read_number(name, equals, &number) != equals || number >= count)
            return false;
        answer->number = (uint32_t)number;
        return true;
    }
    return isa_number_of(core->target->names, core->names, answer->gpu ? GPUCODE_SPACE_GPU : GPUCODE_SPACE_CONTROL,
                         name, (size_t)(equals - name), &answer->number) &&
           answer->number < count;
}

static enum gpucode_status read_answers(struct machine_core *core, struct afuc_setup *setup,
                                        const struct gpucode_setting *settings)
{
    unsigned count = 0;
    for (const struct gpucode_setting *s = settings; s && s->name; s++)
        count += strcmp(s->name, "afuc-answer") == 0;
    setup->answers = arena_array(&core->arena, count + 1, sizeof *setup->answers);
    if (!setup->answers)
        return GPUCODE_ERROR_MEMORY;
    for (const struct gpucode_setting *s = settings; s && s->name; s++) {
        if (strcmp(s->name, "afuc-answer") != 0)
            continue;
        if (!read_answer(core, s->value, &setup->answers[setup->answer_count++])) {
            report(&core->on_diagnostic, NULL, MSG_AFUC_ANSWER, NULL, s->value);
            return GPUCODE_ERROR_INPUT;
        }
    }
    return GPUCODE_OK;
}

enum gpucode_status afuc_read_policies(struct machine_core *core, struct afuc_setup *setup,
                                       const struct gpucode_setting *settings)
{
#define CHOICE(name) isa_policy_choice(afuc_policies, settings, name)
    setup->bfi_or = CHOICE("afuc-bfi");
    setup->shift_zero = CHOICE("afuc-shift");
    setup->delay_reference = CHOICE("afuc-delay");
    setup->range_wraps = CHOICE("afuc-range");
    setup->zero_faults = CHOICE("afuc-zero");
    setup->parity_ignored = CHOICE("afuc-parity");
    setup->level_firmware = CHOICE("afuc-ib-return");
    setup->align_down = CHOICE("afuc-unaligned");
    setup->secure_fails = CHOICE("afuc-setsecure");
    setup->rem_wraps = CHOICE("afuc-rem");
    unsigned increment = CHOICE("afuc-increment");
    setup->cwrite_source_last = increment == 2;
    setup->store_source_first = increment == 1;
    setup->second_first = CHOICE("afuc-sources");
    setup->peek_waits = CHOICE("afuc-peek");
    setup->preempt_enters = !CHOICE("afuc-preempt");
    setup->stub_processors = CHOICE("afuc-coprocessors");
    setup->stamps_follow = CHOICE("afuc-event-order");
    setup->stamp_on_chip = (uint8_t)CHOICE("afuc-event-on-chip");
    for (unsigned i = 0; i < 8; i++)
        setup->level_queue[i] = QUEUE_NONE;
    setup->level_queue[0] = QUEUE_RB;
    setup->level_queue[1] = QUEUE_IB1;
    setup->level_queue[2] = QUEUE_IB2;
    bool late = CHOICE("afuc-ib-levels");
    if (setup->generation <= AFUC_A6XX) {
        setup->level_queue[3] = QUEUE_SDS;
    } else {
        setup->level_queue[3] = late ? QUEUE_SDS : QUEUE_IB3;
        setup->level_queue[4] = late ? QUEUE_IB3 : QUEUE_SDS;
    }
    unsigned groups = CHOICE("afuc-draw-state");
    setup->groups_at_waitin = groups == 1;
    setup->group_level = setup->generation <= AFUC_A6XX || groups == 2 ? 0 : late ? 3 : 4;
#undef CHOICE
    unsigned meq = isa_policy_choice(afuc_policies, settings, "afuc-meq");
    setup->meq = meq != 2;
    setup->meq_unselected = meq == 1;
    setup->meq_words = isa_policy_number(afuc_policies, settings, "afuc-meq-words");
    if (setup->meq_words < MEQ_LEAST)
        setup->meq_words = MEQ_LEAST;
    setup->quantum = isa_policy_number(afuc_policies, settings, "afuc-quantum");
    if (!setup->quantum)
        setup->quantum = 1;
    setup->base = isa_policy_number(afuc_policies, settings, "afuc-base") & ~UINT64_C(3);
    uint64_t memory = isa_policy_number(afuc_policies, settings, "afuc-memory");
    core->memory.lazy_end = memory >> 34 ? UINT64_MAX : memory << 30;
    return read_answers(core, setup, settings);
}
