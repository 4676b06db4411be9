/* SPDX-License-Identifier: MIT */
/* What `info` says of shaders. */
#include "front/report.h"
#include "front/session.h"
#include "kit/a3xx/kit.h"

#include <gpucode/a3xx.h>

#include <inttypes.h>

#define COMPONENTS (61 * 4)

static bool has_bit(const uint32_t *words, unsigned bit)
{
    return words[bit / 32] >> bit % 32 & 1;
}

/* "r0.x-r1.y" for a run of components; returns the first component behind it, or COMPONENTS when there is none. */
static unsigned next_run(const uint32_t *words, unsigned from, const char *prefix, char text[32])
{
    unsigned first = from;
    while (first < COMPONENTS && !has_bit(words, first))
        first++;
    unsigned last = first;
    while (last + 1 < COMPONENTS && has_bit(words, last + 1))
        last++;
    text[0] = 0;
    if (first == COMPONENTS)
        return COMPONENTS;
    int length = snprintf(text, 32, "%sr%u.%c", prefix, first / 4, "xyzw"[first % 4]);
    if (last > first)
        snprintf(text + length, 32 - (size_t)length, "-%sr%u.%c", prefix, last / 4, "xyzw"[last % 4]);
    return last + 1;
}

/* Runs of components, behind a label in text. */
static void tell_runs(struct report *report, const char *key, const char *label, const uint32_t *words,
                      const char *prefix)
{
    char text[32];
    bool any = false;
    report_array(report, key);
    for (unsigned at = 0; at < COMPONENTS;) {
        at = next_run(words, at, prefix, text);
        if (!text[0])
            break;
        report_text(report, "%s", any ? ", " : label);
        report_string(report, NULL, "%s", text);
        any = true;
    }
    if (any)
        report_text(report, "\n");
    report_end(report);
}

static void tell_file(struct report *report, const char *key, const char *label, const struct gpucode_a3xx_file *file,
                      const char *prefix)
{
    bool used = file->components || file->relative; /* text is silent about the others */
    if (!report->is_json && !used)
        return;
    report_object(report, key);
    report_text(report, "  %s  ", label);
    report_number(report, "components", "%s components", file->components);
    report_number(report, "vectors", " in %s vectors", file->vectors);
    report_bool(report, "relative", ", and relative to a0.x", file->relative);
    report_text(report, "\n");
    tell_runs(report, "written", "    written     ", file->written, prefix);
    tell_runs(report, "read_before_written", "    read before written  ", file->inputs, prefix);
    report_end(report);
}

static void tell_numbers(struct report *report, const char *key, const char *label, const uint32_t *words,
                         unsigned count, const char *mark)
{
    bool any = false;
    report_array(report, key);
    for (unsigned i = 0; i < count; i++)
        if (has_bit(words, i)) {
            report_text(report, "%s%s", any ? ", " : label, mark);
            report_number(report, NULL, "%s", i);
            any = true;
        }
    if (any)
        report_text(report, "\n");
    report_end(report);
}

static void tell_insns(struct report *report, const struct gpucode_a3xx_usage *usage)
{
    static const char *const names[7] = {"flow",    "moves",    "arithmetic", "mad and select",
                                         "special", "textures", "memory"};
    report_number(report, "instructions", "  instructions  %s", usage->instructions);
    report_number(report, "padding", ", %s of padding behind them\n", usage->padding);
    report_array(report, "categories");
    for (unsigned i = 0; i < 7; i++) {
        if (usage->category[i])
            report_text(report, "    category %u  %" PRIu32 " (%s)\n", i, usage->category[i], names[i]);
        report_number(report, NULL, NULL, usage->category[i]);
    }
    report_end(report);
    report_number(report, "unknown", usage->unknown ? "    unknown     %s\n" : NULL, usage->unknown);
    report_number(report, "slots", "  issue slots   %s", usage->slots);
    report_number(report, "nop_slots", ", %s of them", usage->nop_slots);
    report_number(report, "nops", " in %s nops\n", usage->nops);
    report_number(report, "ss", "  sync points   %s (ss)", usage->ss);
    report_number(report, "sy", ", %s (sy)\n", usage->sy);
}

static void tell_effects(struct report *report, const struct gpucode_a3xx_usage *usage)
{
    bool any = usage->kills || usage->calls || usage->reads_memory || usage->writes_memory;
    if (any)
        report_text(report, "  has           ");
    report_bool(report, "kills", "kill ", usage->kills);
    report_bool(report, "calls", "call ", usage->calls);
    report_bool(report, "reads_memory", "loads ", usage->reads_memory);
    report_bool(report, "writes_memory", "stores", usage->writes_memory);
    if (any)
        report_text(report, "\n");
}

int shader_info(struct session *session, const struct info_view *view, struct report *report, enum info_part part)
{
    struct gpucode_a3xx_usage usage;
    (void)session;
    if (part != INFO_BODY || gpucode_a3xx_usage(view->image, &usage) != GPUCODE_OK)
        return EXIT_DONE;
    tell_insns(report, &usage);
    tell_file(report, "full_registers", "full registers", &usage.full, "");
    tell_file(report, "half_registers", "half registers", &usage.half, "h");
    if (usage.consts)
        report_text(report, "  consts        up to c%" PRIu32 ".%c\n", (usage.consts - 1) / 4,
                    "xyzw"[(usage.consts - 1) % 4]);
    report_number(report, "const_vectors", NULL, (usage.consts + 3) / 4);
    report_bool(report, "relative_const", "  consts        relative to a0.x too\n", usage.relative_const);
    if (usage.varyings)
        report_text(report, "  varyings      components 0 to %" PRIu32 "\n", usage.varyings - 1);
    report_number(report, "varying_components", NULL, usage.varyings);
    tell_numbers(report, "samplers", "  samplers      ", &usage.samplers, 16, "s#");
    tell_numbers(report, "textures", "  textures      ", usage.textures, 128, "t#");
    tell_effects(report, &usage);
    return EXIT_DONE;
}
