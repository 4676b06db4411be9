/* SPDX-License-Identifier: MIT */
/* gpucode targets: what -t takes. */
#include "front/report.h"
#include "front/session.h"

#include <gpucode/target.h>

int command_targets(struct session *session)
{
    struct report report = report_begin_indented(session);
    const struct gpucode_target *target;
    report_array(&report, "targets");
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        report_object(&report, NULL);
        report_column(&report, "name", 18, gpucode_target_name(target));
        report_string(&report, "isa", NULL, gpucode_target_isa(target));
        report_text(&report, " ");
        report_column(&report, "generation", 6, gpucode_target_generation(target));
        report_number(&report, "unit_bytes", NULL, gpucode_target_unit_bytes(target));
        report_string(&report, "description", " %s\n", gpucode_target_description(target));
        report_end(&report);
    }
    report_end(&report);
    report_end(&report);
    return EXIT_DONE;
}
