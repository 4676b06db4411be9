/* SPDX-License-Identifier: MIT */
/* A launch request that names a recording is what `gpucode debug --from` does with the same words. */
#include "gpu/recorded_launch.h"

#include "front/session.h"
#include "gpu/recorded.h"
#include "kit/launch.h"
#include "kit/kit.h"

#include <stdlib.h>

struct launch_recorded {
    struct session session;
    struct recorded recorded;
    struct input input;
    bool is_open;
    char **words; /* `arguments` are parts of them */
    int word_count;
    char *text; /* messages, and how many bytes of them were said */
    size_t length, said;
    void (*say)(void *user, const char *text, size_t length);
    void *user;
};

/* Did it go well? What there is to say is said. */
static bool went_well(struct launch_recorded *launched, int code)
{
    fflush(launched->session.diagnostics.out);
    if (launched->length > launched->said)
        launched->say(launched->user, launched->text + launched->said, launched->length - launched->said);
    launched->said = launched->length;
    return code == EXIT_DONE;
}

static void free_words(int count, char **words)
{
    for (int i = 0; i < count; i++)
        free(words[i]);
    free(words);
}

static void close_recorded(struct launch_recorded *launched)
{
    if (launched->is_open) {
        input_close(&launched->input);
        recorded_close(&launched->session, &launched->recorded);
    }
    arguments_free(&launched->session.arguments);
    if (launched->session.diagnostics.out)
        fclose(launched->session.diagnostics.out);
    free_words(launched->word_count, launched->words);
    free(launched->text);
    free(launched);
}

static struct launch_recorded *open_recorded(int argc, char **argv,
                                             void (*say)(void *user, const char *text, size_t length), void *user)
{
    struct launch_recorded *launched = calloc(1, sizeof *launched);
    if (!launched) {
        free_words(argc, argv);
        return NULL;
    }
    struct session *session = &launched->session;
    launched->words = argv;
    launched->word_count = argc;
    launched->say = say;
    launched->user = user;
    session->command = command_find(argv[1]);
    session->diagnostics.out = open_memstream(&launched->text, &launched->length);
    if (!session->diagnostics.out) {
        close_recorded(launched);
        return NULL;
    }
    int code = arguments_parse(&session->arguments, &session->diagnostics, session->command, argc, argv, 2);
    if (!code)
        code = recorded_input(session, NULL, &launched->recorded, &launched->input);
    launched->is_open = !code;
    if (went_well(launched, code))
        return launched;
    close_recorded(launched);
    return NULL;
}

static const struct gpucode_image *image_of(const struct launch_recorded *launched)
{
    return launched->input.image;
}

static bool make_machine(struct launch_recorded *launched, const struct gpucode_names *names,
                         struct gpucode_machine **machine)
{
    return went_well(launched, kit_machine_create(&launched->session, &launched->input, names, machine));
}

static bool begin_debugger(struct launch_recorded *launched, struct gpucode_debug *debug)
{
    const struct kit *kit = kit_of(launched->input.target);
    return went_well(launched,
                     kit && kit->debugger ? kit->debugger(&launched->session, &launched->input, debug) : EXIT_DONE);
}

const struct launch_recordings recorded_launches = {open_recorded, image_of, make_machine, begin_debugger,
                                                    close_recorded};
