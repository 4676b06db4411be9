/* SPDX-License-Identifier: MIT */
/* gpucode targets: what -t takes. */
#include "front/json.h"
#include "front/session.h"

#include <gpucode/target.h>

int command_targets(struct session *session);

static void put_json(void)
{
    struct json json = {.out = stdout, .indent = true};
    const struct gpucode_target *target;
    json_object(&json, NULL);
    json_array(&json, "targets");
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        json_object(&json, NULL);
        json_string(&json, "name", gpucode_target_name(target));
        json_string(&json, "isa", gpucode_target_isa(target));
        json_string(&json, "generation", gpucode_target_generation(target));
        json_number(&json, "unit_bytes", gpucode_target_unit_bytes(target));
        json_string(&json, "description", gpucode_target_description(target));
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

int command_targets(struct session *session)
{
    const struct gpucode_target *target;
    if (session->json) {
        put_json();
        return EXIT_DONE;
    }
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        printf("%-18s %-6s %s\n", gpucode_target_name(target), gpucode_target_generation(target),
               gpucode_target_description(target));
    return EXIT_DONE;
}
