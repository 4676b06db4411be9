/* SPDX-License-Identifier: MIT */
#include "slow.h"

#include <string.h>

static uint32_t field(const struct gpucode_insn *insn, char letter)
{
    struct gpucode_field f;
    for (unsigned i = 0; gpucode_insn_field(insn, i, &f); i++)
        if (f.letter == letter)
            return (uint32_t)f.value;
    return 0;
}

static bool has(const struct gpucode_insn *insn, char letter)
{
    struct gpucode_field f;
    for (unsigned i = 0; gpucode_insn_field(insn, i, &f); i++)
        if (f.letter == letter)
            return true;
    return false;
}

static uint32_t take(struct slow *s, bool peek, bool *popped)
{
    uint32_t value = s->payload[s->taken];
    if (!peek) {
        s->taken++;
        *popped = true;
        if (s->reg[0x1c])
            s->reg[0x1c]--;
    }
    return value;
}

static uint32_t get(struct slow *s, unsigned reg, bool peek, bool *popped)
{
    return reg == 0x1f ? take(s, peek, popped) : reg ? s->reg[reg] : 0;
}

static void put(struct slow *s, unsigned reg, uint32_t value)
{
    if (reg == 0)
        return;
    if (reg == 0x1f) {
        uint32_t address = s->reg[s->through];
        s->gpu[address & 0xfff] = value;
        if (!(address & 0x40000))
            s->reg[s->through] = address + 1;
        return;
    }
    s->reg[reg] = value;
    if (reg == 0x1d || reg == 0x1e)
        s->through = reg;
}

static uint32_t ones(unsigned low, unsigned high)
{
    uint32_t mask = 0;
    for (unsigned i = low; i <= high; i++)
        mask |= UINT32_C(1) << (i - low);
    return mask;
}

/* The result of an ALU instruction; false: the mnemonic is another one. */
static bool alu(struct slow *s, const char *name, const struct gpucode_insn *insn, uint32_t a, uint32_t b, uint32_t old,
                uint32_t *d)
{
#define IS(text) (strcmp(name, text) == 0)
    unsigned n = b & 31;
    if (IS("add")) {
        s->carry = (uint64_t)a + b > UINT32_MAX;
        *d = a + b;
    } else if (IS("addhi")) {
        *d = a + b + (uint32_t)s->carry;
    } else if (IS("sub")) {
        s->carry = b > a ? UINT32_MAX : 0;
        *d = a - b;
    } else if (IS("subhi")) {
        *d = a - b + (uint32_t)s->carry;
    } else if (IS("and")) {
        *d = a & b;
    } else if (IS("or")) {
        *d = a | b;
    } else if (IS("xor")) {
        *d = (a | b) - (a & b);
    } else if (IS("bic")) {
        *d = a - (a & b);
    } else if (IS("not")) {
        *d = UINT32_MAX - b;
    } else if (IS("shl")) {
        *d = (uint32_t)((uint64_t)a * (UINT64_C(1) << n));
    } else if (IS("ushr")) {
        *d = (uint32_t)(a / (UINT64_C(1) << n));
    } else if (IS("ishr")) {
        *d = (uint32_t)(a / (UINT64_C(1) << n));
        for (unsigned i = 32 - n; a >> 31 && i < 32; i++)
            *d |= UINT32_C(1) << i;
    } else if (IS("rot")) {
        *d = a;
        while (n--)
            *d = *d * 2 + (*d >> 31);
    } else if (IS("mul8")) {
        *d = (a % 256) * (b % 256);
    } else if (IS("mul16")) {
        *d = (a % 65536) * (b % 65536);
    } else if (IS("min")) {
        *d = a > b ? b : a;
    } else if (IS("max")) {
        *d = a > b ? a : b;
    } else if (IS("cmp")) {
        *d = a == b ? 0x2b : a < b ? 0x1e : 0;
    } else if (IS("msb")) {
        for (*d = 0; b > 1; b /= 2)
            ++*d;
    } else if (IS("popcount")) {
        for (*d = 0; b; b /= 2)
            *d += b % 2;
    } else if (IS("setbit") && has(insn, 't')) {
        unsigned bit = b / 2 % 32;
        *d = (a & (UINT32_MAX - (UINT32_C(1) << bit))) + (b % 2) * (UINT32_C(1) << bit);
    } else if (IS("setbit")) {
        *d = a | UINT32_C(1) << field(insn, 'b');
    } else if (IS("clrbit")) {
        *d = (a | UINT32_C(1) << field(insn, 'b')) - (UINT32_C(1) << field(insn, 'b'));
    } else if (IS("ubfx")) {
        *d = a >> field(insn, 'L') & ones(field(insn, 'L'), field(insn, 'H'));
    } else if (IS("bfi")) {
        uint32_t mask = ones(field(insn, 'L'), field(insn, 'H'));
        *d = (old | mask << field(insn, 'L')) - (mask << field(insn, 'L')) + ((a & mask) << field(insn, 'L'));
    } else if (IS("mov")) {
        *d = has(insn, 't') ? b : field(insn, 'i') << field(insn, 'h');
    } else {
        return false;
    }
    return true;
}

static bool once(struct slow *s, const char *name, const struct gpucode_insn *insn, bool *popped)
{
    unsigned base = field(insn, 'm') + field(insn, 'c'), o = field(insn, 'o'), src = field(insn, 's'),
             d = field(insn, 'd');
    if (has(insn, 'o')) {
        uint32_t at = s->reg[o] + base;
        if (o == 0)
            at = base;
        else if (field(insn, 'w'))
            s->reg[o] = at;
        if (IS("cwrite"))
            s->control[at & 0xfff] = get(s, src, false, popped);
        else if (IS("cread"))
            put(s, d, s->control[at & 0xfff]);
        else if (IS("store"))
            s->memory[at / 4 & 0x3fffff] = get(s, src, false, popped);
        else if (IS("load"))
            put(s, d, s->memory[at / 4 & 0x3fffff]);
        else
            return false;
        return true;
    }
    bool peek = field(insn, 'p');
    uint32_t a = get(s, src, peek, popped), b, result;
    if (has(insn, 't'))
        b = get(s, field(insn, 't'), peek, popped);
    else
        b = field(insn, 'i') + field(insn, 'n');
    if (!alu(s, name, insn, a, b, s->reg[d], &result))
        return false;
    put(s, d, result);
    return true;
}

static bool run(struct slow *s, const char *name, const struct gpucode_insn *insn)
{
    bool rep = field(insn, 'r');
    unsigned moves = field(insn, 'x'), d = field(insn, 'd');
    do {
        if (rep && !s->reg[0x1c])
            return true;
        bool popped = false;
        uint32_t before = s->reg[0x1c];
        if (!once(s, name, insn, &popped))
            return false;
        if (rep && !popped)
            s->reg[0x1c] = before - 1;
        unsigned m = moves < s->reg[0x1c] ? moves : s->reg[0x1c];
        for (unsigned i = 0; i < m; i++) {
            popped = false;
            uint32_t left = s->reg[0x1c], value = get(s, field(insn, 't'), field(insn, 'p'), &popped);
            if (d == 0x1d || d == 0x1e || d == 0x1f)
                put(s, m == 3 && i == 1 ? d : 0x1f, value);
            if (!popped)
                s->reg[0x1c] = left - 1;
        }
    } while (rep && s->reg[0x1c]);
    return true;
}

bool slow_step(struct slow *s, const struct gpucode_target *target, const uint32_t *code)
{
    struct gpucode_insn insn;
    struct gpucode_row row;
    uint32_t word = code[s->pc], next = s->branch == UINT32_MAX ? s->pc + 1 : s->branch;
    const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                    (unsigned char)(word >> 24)};
    if (gpucode_decode(target, bytes, 4, s->pc, &insn) != GPUCODE_OK || !gpucode_row(target, insn.row, &row))
        return false;
    const char *name = row.mnemonic;
    s->branch = UINT32_MAX;
    uint32_t value = s->reg[field(&insn, 's')];
    bool bit = has(&insn, 'b') && value >> field(&insn, 'b') & 1, same = value == field(&insn, 'e');
    if (has(&insn, 'a')) {
        bool taken = IS("jump") || (has(&insn, 'b') ? bit : same) == (strcmp(name, "breq") == 0);
        if (taken)
            s->branch = s->pc + (uint32_t)(int16_t)field(&insn, 'a');
    } else if (!IS("nop") && !run(s, name, &insn)) {
        return false;
    }
    s->pc = next;
    return true;
}
