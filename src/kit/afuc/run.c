/* SPDX-License-Identifier: MIT */
/* gpucode run for AFUC: boots a firmware, gives it packets, tells what changed and why it stopped. */
#include "front/arguments.h"
#include "front/coverage.h"
#include "front/names.h"
#include "front/outcome.h"
#include "front/session.h"
#include "kit/afuc/firmware.h"
#include "kit/afuc/fuzz.h"
#include "kit/afuc/kit.h"
#include "kit/afuc/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct afuc_run {
    struct session *session;
    const struct input *input;
    struct firmware *firmware;
    struct gpucode_machine *machine; /* the firmware's */
    struct trace trace;
};

static const struct value_word trace_words[] = {{"instructions", TRACE_INSTRUCTIONS},
                                                {"registers", TRACE_REGISTERS},
                                                {"memory", TRACE_MEMORY},
                                                {"state", TRACE_STATE},
                                                {"boot", TRACE_BOOT},
                                                {NULL, 0}};

static int run_packets(struct afuc_run *run)
{
    bool packets = firmware_has_packets(run->session);
    if (run->trace.kinds == TRACE_BOOT)
        run->trace.kinds |= TRACE_INSTRUCTIONS;
    bool boot = run->trace.kinds & TRACE_BOOT || (!packets && !(run->trace.kinds & TRACE_STATE));
    if (boot) /* asked for, or nothing else to tell of */
        trace_begin(&run->trace);
    if (!firmware_boot(run->firmware))
        return EXIT_DONE;
    if (packets && !boot)
        trace_begin(&run->trace);
    return firmware_feed(run->firmware);
}

static int report_run(struct afuc_run *run)
{
    trace_end(&run->trace, &run->firmware->stop, firmware_is_waiting(run->firmware));
    if (run->trace.failed || stop_has_no_memory(&run->firmware->stop))
        return out_of_memory(&run->session->diagnostics);
    struct gpucode_fuzz_outcome finding = {.judgement = GPUCODE_FUZZ_PASS};
    int code = run->firmware->checked ? fuzz_check_files(run->session, run->input, &finding) : EXIT_DONE;
    if (code)
        return code;
    bool found = finding.judgement != GPUCODE_FUZZ_PASS;
    changes_sort(&run->trace.all);
    /* with --json the trace of states is the result, a line each */
    bool told = run->trace.kinds & TRACE_STATE && run->session->json;
    code = told ? EXIT_DONE : results_tell(run->firmware, &run->trace, found ? &finding : NULL);
    if (!code)
        code = firmware_verdict(run->firmware);
    return !code && finding.judgement == GPUCODE_FUZZ_FINDING ? EXIT_FINDINGS : code;
}

/* --- the command ------------------------------------------------------------------------------------------------ */

/* The time line, by a machine of its own; *done: that is all. Returns an exit code. */
static int run_lined(struct session *session, const struct input *input, bool *done)
{
    const struct arguments *arguments = &session->arguments;
    struct firmware *firmware;
    *done = arguments_have(arguments, OPTION_AFUC_TIME_LINE);
    if (!*done && !arguments_have(arguments, OPTION_AFUC_PERFETTO))
        return EXIT_DONE;
    int code = firmware_open(session, input, &firmware);
    if (!code)
        code = firmware_line(session, firmware);
    if (!code && *done)
        code = firmware_verdict(firmware);
    firmware_close(firmware);
    return code;
}

int run_afuc(struct session *session, const struct input *input)
{
    struct afuc_run run = {.session = session, .input = input};
    bool done;
    int code = run_lined(session, input, &done);
    if (code || done)
        return code;
    code = value_trace(session, OPTION_AFUC_TRACE, trace_words, TRACE_INSTRUCTIONS, &run.trace.kinds);
    if (!code)
        code = firmware_open(session, input, &run.firmware);
    if (!code)
        code = results_check(run.firmware);
    if (!code) {
        run.machine = run.firmware->machine;
        run.trace.session = session;
        run.trace.input = input;
        run.trace.machine = run.machine;
        run.trace.json = session->json;
        run.trace.comments = arguments_have(&session->arguments, OPTION_COMMENTS);
        code = run_packets(&run);
    }
    if (!code)
        code = firmware_dump(run.firmware);
    if (!code)
        code = report_run(&run);
    trace_free(&run.trace);
    firmware_close(run.firmware);
    return code;
}

/* --- gpucode coverage for AFUC: firmware boots and takes the packets of the command line -------------------------- */

int cover_afuc(struct session *session, const struct input *input)
{
    struct firmware *firmware = NULL;
    int code = firmware_open(session, input, &firmware);
    struct edges edges = {0};
    if (!code)
        code = edges_begin(session, &edges, input->image, session->arguments.value[OPTION_EDGES]);
    if (!code) {
        gpucode_machine_coverage(firmware->machine, true);
        edges_hook(&edges, firmware->machine);
    }
    if (!code && firmware_boot(firmware))
        code = firmware_feed(firmware);
    if (!code) {
        const struct gpucode_coverage_options options = {.stop = &firmware->stop,
                                                         .instructions = firmware->ran,
                                                         .takes_packets = true,
                                                         .done = firmware_is_done(firmware)};
        code =
            coverage_tell(session, input, firmware->machine, session->arguments.value[OPTION_AFUC_SECTION], &options);
    }
    if (!code)
        code = firmware_verdict(firmware);
    code = edges_finish(session, &edges, input->image, code);
    firmware_close(firmware);
    return code;
}
