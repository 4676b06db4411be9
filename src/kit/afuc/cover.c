/* SPDX-License-Identifier: MIT */
/* gpucode coverage for AFUC: firmware boots and takes the packets of the command line. */
#include "front/coverage.h"
#include "front/edges.h"
#include "front/session.h"
#include "kit/afuc/firmware.h"
#include "kit/afuc/kit.h"

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
