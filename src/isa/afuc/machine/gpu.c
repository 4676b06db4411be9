/* SPDX-License-Identifier: MIT */
/* GPU registers, pipe registers and memory as firmware reaches them. */
#include "isa/afuc/machine/exec.h"

#include "afuc_messages.h"

/* --- memory ---------------------------------------------------------------------------------------------- */

/* The address that is meant; false: it is not a word's, and that is a fault (policy afuc-unaligned). */
static bool align_address(struct afuc_machine *m, struct afuc_processor *p, uint64_t *address)
{
    if (!(*address & 3))
        return true;
    if (!m->setup->align_down) {
        afuc_fault(m, p, MSG_AFUC_UNALIGNED, (unsigned long long)*address);
        return false;
    }
    *address &= ~UINT64_C(3);
    return true;
}

/* Does the host answer the access? What it answers next nobody knows, so that a loop with it is not a hang. */
static bool host_answers(struct afuc_machine *m, struct afuc_processor *p, uint64_t address, bool write,
                         uint32_t *value)
{
    const struct gpucode_access access = {
        .processor = p->index, .pc = p->pc, .address = address, .bytes = 4, .write = write};
    if (!m->core->access(m->core->access_user, m->core->machine, &access, value))
        return false;
    afuc_progress(p);
    return true;
}

bool afuc_memory_read(struct afuc_machine *m, struct afuc_processor *p, uint64_t address, uint32_t *value)
{
    if (!align_address(m, p, &address))
        return false;
    bool answered = m->core->access && host_answers(m, p, address, false, value);
    if (!answered && !pages_read(&m->core->memory, address, value)) {
        afuc_fault(m, p, MSG_AFUC_UNMAPPED, "read", (unsigned long long)address);
        return false;
    }
    if (m->core->hook_kinds & GPUCODE_EVENT_MEM_READ)
        afuc_tell_memory(m, p, GPUCODE_EVENT_MEM_READ, address, *value, *value);
    return true;
}

bool afuc_memory_write(struct afuc_machine *m, struct afuc_processor *p, uint64_t address, uint32_t value)
{
    uint32_t old = value; /* what the host takes leaves memory as it is */
    if (!align_address(m, p, &address))
        return false;
    bool answered = m->core->access && host_answers(m, p, address, true, &(uint32_t){value});
    if (!answered && (!pages_read(&m->core->memory, address, &old) || !pages_write(&m->core->memory, address, value))) {
        afuc_fault(m, p, MSG_AFUC_UNMAPPED, "written", (unsigned long long)address);
        return false;
    }
    if (old != value)
        afuc_rehash_memory(m, address, old, value);
    if (m->core->hook_kinds & GPUCODE_EVENT_MEM_WRITE)
        afuc_tell_memory(m, p, GPUCODE_EVENT_MEM_WRITE, address, value, old);
    return true;
}

/* --- GPU registers ------------------------------------------------------------------------------------------ */

uint32_t afuc_gpu_get(const struct afuc_machine *m, uint32_t number)
{
    uint32_t value = 0;
    if (number < GPU_COUNT)
        pages_read(&m->core->files, afuc_gpu_place(number), &value);
    return value;
}

uint32_t afuc_gpu_read(struct afuc_machine *m, struct afuc_processor *p, uint32_t number)
{
    uint32_t value = afuc_gpu_get(m, number);
    for (unsigned i = 0; i < m->setup->answer_count; i++)
        if (m->setup->answers[i].gpu && m->setup->answers[i].number == number)
            value = m->setup->answers[i].value;
    afuc_note_poll(p, GPUCODE_SPACE_GPU, number, value);
    if (m->core->hook_kinds & GPUCODE_EVENT_READ)
        afuc_tell_read(m, p, GPUCODE_SPACE_GPU, number, value);
    return value;
}

void afuc_gpu_put(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value)
{
    uint32_t old = afuc_gpu_get(m, number);
    pages_write(&m->core->files, afuc_gpu_place(number), value);
    afuc_rehash(&m->shared_hash, KEY_GPU | number, old, value);
    afuc_wrote(m, p, GPUCODE_SPACE_GPU, number, value, old);
}

/* a5xx: memory is written and read through GPU registers (AFUC manual, Writing Memory). */
static uint64_t nrt_address(const struct afuc_machine *m)
{
    return afuc_gpu_get(m, m->setup->gpu[GPU_NRT_ADDR_LO]) | (uint64_t)afuc_gpu_get(m, m->setup->gpu[GPU_NRT_ADDR_HI])
                                                                 << 32;
}

static void nrt_step(struct afuc_machine *m, struct afuc_processor *p, uint64_t address)
{
    afuc_gpu_put(m, p, m->setup->gpu[GPU_NRT_ADDR_LO], (uint32_t)(address + 4));
    if ((address + 4) >> 32 != address >> 32)
        afuc_gpu_put(m, p, m->setup->gpu[GPU_NRT_ADDR_HI], (uint32_t)((address + 4) >> 32));
}

bool afuc_nrt_read(struct afuc_machine *m, struct afuc_processor *p, bool peek, uint32_t *value)
{
    uint64_t address = nrt_address(m);
    if (!afuc_memory_read(m, p, address, value))
        return false;
    if (!peek)
        nrt_step(m, p, address);
    return true;
}

bool afuc_gpu_write(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value)
{
    const struct afuc_setup *setup = m->setup;
    afuc_gpu_put(m, p, number, value);
    if (number == setup->gpu[GPU_NRT_DATA] && setup->generation == AFUC_A5XX) {
        uint64_t address = nrt_address(m);
        if (!afuc_memory_write(m, p, address, value))
            return false;
        nrt_step(m, p, address);
    }
    if (number == setup->gpu[GPU_LPAC_CNTL] && setup->generation == AFUC_A6XX) {
        uint32_t base = setup->gpu[GPU_LPAC_INSTR_BASE];
        return afuc_start_section(m, p, "LPAC", afuc_gpu_get(m, base) | (uint64_t)afuc_gpu_get(m, base + 1) << 32);
    }
    return true;
}

/* --- protection (AFUC notes, Register access) ----------------------------------------------------------------- */

enum {
    PROTECT_ENABLE = 1,
    PROTECT_FAULT = 2,
    PROTECT_LAST_SPAN = 8,
    STATUS_HALTED = 1 << 21,
    STATUS_VIOLATION = 1 << 22,
    A5XX_STATUS_WRITE = 1 << 24 /* after the number in bits 19:2: a5xx_gpu.c of the Linux kernel */
};

/* Does one of `count` entries from register `first` on forbid writing the register? */
static bool is_listed(const struct afuc_machine *m, uint32_t first, unsigned count, uint32_t number, bool last_spans)
{
    for (unsigned i = 0; i < count && first != GPU_NONE; i++) {
        uint32_t entry = afuc_gpu_get(m, first + i), base, length;
        if (!entry)
            continue;
        if (m->setup->generation == AFUC_A5XX) {
            base = entry & 0x1ffff;
            length = entry >> 29 & 1 ? (UINT32_C(1) << (entry >> 24 & 31)) - 1 : 0;
            if (!(entry >> 29 & 1))
                continue;
        } else {
            base = entry & 0x3ffff;
            length = entry >> 18 & 0x1fff; /* base + length is part of the range */
            if (i == count - 1 && last_spans)
                length = GPU_COUNT - 1 - base;
        }
        if (number >= base && number - base <= length)
            return true;
    }
    return false;
}

static bool is_protected(const struct afuc_machine *m, uint32_t number, uint32_t control)
{
    const struct afuc_setup *setup = m->setup;
    bool last_spans = control & PROTECT_LAST_SPAN && setup->generation != AFUC_A5XX;
    return is_listed(m, setup->gpu[GPU_PROTECT], setup->generation == AFUC_GEN8 ? 64 : 32, number, last_spans) ||
           (setup->generation == AFUC_GEN8 && is_listed(m, setup->gpu[GPU_PROTECT_PIPE], 16, number, last_spans));
}

/* A write through $usraddr; false: refused. *halted: with a fault. */
static bool may_write(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, bool *halted)
{
    const struct afuc_setup *setup = m->setup;
    uint32_t control = setup->gpu[GPU_PROTECT_CNTL] == GPU_NONE ? 0 : afuc_gpu_get(m, setup->gpu[GPU_PROTECT_CNTL]);
    *halted = false;
    if (!(control & PROTECT_ENABLE) || !is_protected(m, number, control))
        return true;
    *halted = control & PROTECT_FAULT;
    if (setup->gpu[GPU_PROTECT_STATUS] != GPU_NONE)
        afuc_gpu_put(m, p, setup->gpu[GPU_PROTECT_STATUS],
                     setup->generation == AFUC_A5XX
                         ? (number << 2 & 0xfffff) | A5XX_STATUS_WRITE
                         : (number & 0x3ffff) | STATUS_VIOLATION | (*halted ? STATUS_HALTED : 0));
    if (*halted) {
        char name[GPUCODE_NAME_MAX + 8] = "";
        char *end = isa_name_of(m->core->target->names, m->core->names, GPUCODE_SPACE_GPU, number, name);
        *end = 0;
        afuc_fault(m, p, MSG_AFUC_PROTECTED, number, name[0] ? ", " : "", name);
    }
    return false;
}

/* The firmware asks whether a range may be written instead of writing it. */
static void protect_test(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t count)
{
    uint32_t control =
        m->setup->gpu[GPU_PROTECT_CNTL] == GPU_NONE ? 0 : afuc_gpu_get(m, m->setup->gpu[GPU_PROTECT_CNTL]);
    bool violation = false;
    count = count < GPU_COUNT ? count : GPU_COUNT;
    for (uint32_t i = 0; i < count && !violation && control & PROTECT_ENABLE; i++)
        violation = is_protected(m, (number + i) & (GPU_COUNT - 1), control);
    afuc_control_put(m, p, m->setup->control[CONTROL_REG_READ_TEST_RESULT], violation ? 5 : 1);
}

/* --- pipe registers --------------------------------------------------------------------------------------------- */

static void afuc_pipe_put(struct afuc_machine *m, struct afuc_processor *p, uint32_t number, uint32_t value)
{
    uint32_t old = p->pipe[number];
    p->pipe[number] = value;
    afuc_rehash(&p->hash, KEY_PIPE | number, old, value);
    afuc_wrote(m, p, GPUCODE_SPACE_PIPE, number, value, old);
}

static void lower_counter(struct afuc_machine *m, struct afuc_processor *p, enum afuc_control counter)
{
    uint32_t value = afuc_control_get(m, p, counter);
    if (value)
        afuc_control_put(m, p, m->setup->control[counter], value - 1);
}

static bool afuc_event_write(struct afuc_machine *m, struct afuc_processor *p, unsigned number, uint32_t value);

static bool pipe_write(struct afuc_machine *m, struct afuc_processor *p, unsigned number, uint32_t value)
{
    afuc_pipe_put(m, p, number, value);
    if (number >= m->setup->pipe_event && m->setup->pipe_event)
        return afuc_event_write(m, p, number, value);
    if (number != m->setup->pipe_nrt_data || !number)
        return true;
    unsigned low = m->setup->pipe_nrt_addr;
    uint64_t address = p->pipe[low] | (uint64_t)p->pipe[low + 1] << 32;
    if (!afuc_memory_write(m, p, address & ~UINT64_C(3), value))
        return false;
    if (address & 3) /* AFUC manual, Example Packet: the two low bits are a flag, 1 holds the address */
        return true;
    address += 4;
    afuc_pipe_put(m, p, low, (uint32_t)address);
    if ((uint32_t)(address >> 32) != p->pipe[low + 1])
        afuc_pipe_put(m, p, low + 1, (uint32_t)(address >> 32));
    return true;
}

/* --- $addr, $usraddr, $data --------------------------------------------------------------------------------------- */

bool afuc_select(struct afuc_machine *m, struct afuc_processor *p, unsigned which, uint32_t value)
{
    afuc_gpr_put(m, p, which, value);
    afuc_rehash(&p->hash, KEY_SELECT, p->selected, which);
    p->selected = (uint8_t)which;
    unsigned pipe = value >> 24;
    if (!pipe || !m->setup->is_void[pipe])
        return true;
    afuc_wrote(m, p, GPUCODE_SPACE_PIPE, pipe, p->pipe[pipe], p->pipe[pipe]);
    if (pipe == m->setup->pipe_wfi_decr)
        lower_counter(m, p, CONTROL_WFI_PEND_CTR);
    else if (pipe == m->setup->pipe_query_decr)
        lower_counter(m, p, CONTROL_QUERY_PEND_CTR);
    return true;
}

bool afuc_data_write(struct afuc_machine *m, struct afuc_processor *p, uint32_t value)
{
    unsigned which = p->selected ? p->selected : REG_ADDR;
    uint32_t address = p->gpr[which], pipe = address >> 24, number = address & (GPU_COUNT - 1);
    bool stay = address >> 18 & 1;
    if (pipe) {
        if (!pipe_write(m, p, pipe, value))
            return false;
        if (!stay)
            afuc_gpr_put(m, p, which, address + (UINT32_C(1) << 24));
        return true;
    }
    if (which == REG_USRADDR && address >> 20 & 1) {
        protect_test(m, p, number, value);
        return true;
    }
    bool halted = false;
    if (which == REG_ADDR || may_write(m, p, number, &halted)) {
        if (!afuc_gpu_write(m, p, number, value))
            return false;
    } else if (halted) {
        return false;
    }
    /* a5xx: the manual's example stores two words through NRT_DATA without bit 18 */
    stay |= m->setup->generation == AFUC_A5XX && number == m->setup->gpu[GPU_NRT_DATA];
    if (!stay)
        afuc_gpr_put(m, p, which, (address & ~(GPU_COUNT - 1)) | ((address + 1) & (GPU_COUNT - 1)));
    return true;
}

/*
 * What an event writes when it is done (register database: EVENT_CMD, EVENT_TS_CTRL). Events are done at once here.
 * Each write is three pipe registers, EVENT_TS_ADDR, EVENT_TS_CTRL and EVENT_TS_DATA; an a7xx's event has up to three.
 */

/* EVENT_CMD */
#define A6XX_TS_WRITE 4
#define A7XX_TS_WRITE_COUNT(value) ((value) >> 3 & 3)
/* EVENT_TS_CTRL of a6xx, and of a7xx */
#define A6XX_TIMESTAMP 2
#define A7XX_MEMSPACE(value) ((value)&7)
#define A7XX_VALUE(value) ((value) >> 3 & 7)
enum { EXTERNAL_MEMORY = 1, ON_CHIP_MEMORY, CLEAR_RENDER, CLEAR_LRZ };
enum { NO_VALUE, DATA_32, DATA_64, ALWAYS_ON, REGISTER };

static bool write_words(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_stamp *stamp, bool on_chip,
                        uint64_t value, unsigned words)
{
    enum { INDEX, NUMBER, NONE };
    uint64_t address = stamp->low | (uint64_t)stamp->high << 32;
    for (unsigned i = 0; i < words; i++) {
        uint32_t word = (uint32_t)(value >> 32 * i);
        uint32_t number = stamp->low + i + (m->setup->stamp_on_chip == INDEX ? SHARED_FIRST : 0);
        if (!on_chip && !afuc_memory_write(m, p, address + 4 * i, word))
            return false;
        bool shared = number >= SHARED_FIRST && number < m->setup->shared_end;
        if (!on_chip || m->setup->stamp_on_chip == NONE)
            continue;
        if (!shared) {
            afuc_unknown(m, p, MSG_AFUC_EVENT_ON_CHIP, stamp->low + i);
            return false;
        }
        if (!afuc_control_write(m, p, number, word))
            return false;
    }
    return true;
}

static bool write_stamp(struct afuc_machine *m, struct afuc_processor *p, const struct afuc_stamp *stamp)
{
    uint64_t data = stamp->data[0] | (uint64_t)stamp->data[1] << 32;
    if (m->setup->generation == AFUC_A6XX) {
        bool counter = stamp->control & A6XX_TIMESTAMP;
        return write_words(m, p, stamp, false, counter ? afuc_time(m) : data, counter ? 2 : 1);
    }
    unsigned space = A7XX_MEMSPACE(stamp->control), value = A7XX_VALUE(stamp->control);
    if (space > CLEAR_LRZ) {
        afuc_unknown(m, p, MSG_AFUC_EVENT_SPACE, space);
        return false;
    }
    if ((space != EXTERNAL_MEMORY && space != ON_CHIP_MEMORY) || value == NO_VALUE)
        return true;
    if (value >= REGISTER) {
        afuc_unknown(m, p, MSG_AFUC_EVENT_VALUE, value);
        return false;
    }
    return write_words(m, p, stamp, space == ON_CHIP_MEMORY, value == ALWAYS_ON ? afuc_time(m) : data,
                       value == DATA_32 ? 1 : 2);
}

/* Is the last word of the three registers here? */
static bool is_complete(const struct afuc_machine *m, const struct afuc_processor *p, unsigned number)
{
    bool wide = m->setup->generation != AFUC_A6XX && A7XX_VALUE(p->pipe[m->setup->pipe_stamp_control]) == DATA_64;
    return number == (unsigned)m->setup->pipe_stamp_data + wide;
}

static struct afuc_stamp stamp_now(const struct afuc_machine *m, const struct afuc_processor *p)
{
    const uint32_t *at = &p->pipe[m->setup->pipe_stamp_address], *data = &p->pipe[m->setup->pipe_stamp_data];
    bool wide = m->setup->generation != AFUC_A6XX;
    return (struct afuc_stamp){at[0], at[1], p->pipe[m->setup->pipe_stamp_control], {data[0], wide ? data[1] : 0}};
}

/* A command: what came before it is written, or what comes after it will be. */
static bool take_command(struct afuc_machine *m, struct afuc_processor *p, uint32_t value)
{
    unsigned count = m->setup->generation == AFUC_A6XX ? (value & A6XX_TS_WRITE) != 0 : A7XX_TS_WRITE_COUNT(value);
    unsigned queued = p->stamp_count, first = queued > count ? queued - count : 0;
    p->stamp_count = 0;
    p->stamps_due = m->setup->stamps_follow ? (uint8_t)count : 0;
    for (unsigned i = first; i < queued && !m->setup->stamps_follow; i++)
        if (!write_stamp(m, p, &p->stamps[i]))
            return false;
    return true;
}

/* A write of EVENT_CMD or EVENT_TS_DATA. False: the machine stops. */
static bool afuc_event_write(struct afuc_machine *m, struct afuc_processor *p, unsigned number, uint32_t value)
{
    if (number == m->setup->pipe_event)
        return take_command(m, p, value);
    if (!is_complete(m, p, number))
        return true;
    struct afuc_stamp stamp = stamp_now(m, p);
    if (m->setup->stamps_follow) {
        bool due = p->stamps_due;
        if (due)
            p->stamps_due--;
        return !due || write_stamp(m, p, &stamp);
    }
    if (p->stamp_count == STAMPS_MAX)
        for (unsigned i = 1; i < STAMPS_MAX; i++)
            p->stamps[i - 1] = p->stamps[i];
    if (p->stamp_count == STAMPS_MAX)
        p->stamp_count--;
    p->stamps[p->stamp_count++] = stamp;
    return true;
}
