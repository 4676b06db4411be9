/* SPDX-License-Identifier: MIT */
/*
 * The form of `gpucode run` that sets without one of their own get, with code of a set that has one: registers that
 * changed, why it stopped, traces and the limit, as text and as JSON.
 */
#include "cli/run.h"
#include "front/input.h"
#include "front/session.h"

#include "group.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char adds[] = "mov.f32f32 r0.x, (0.5)\n(rpt5)nop\nadd.f r0.y, r0.x, r0.x\nend\n";

static const char stores[] = "mov.u32u32 r0.x, 64\nmov.u32u32 r1.x, 7\n(rpt5)nop\nstg.u32 g[r0.x], r1.x, 1\nend\n";
static const char *shader = adds;

/* What the run prints, in `text`; returns its exit code. */
static int run_with(const char *const *options, char *text, size_t size)
{
    char source[] = "/tmp/gpucode-run-XXXXXX", output[] = "/tmp/gpucode-out-XXXXXX";
    char *list[16] = {(char *)"gpucode", (char *)"run", (char *)"-t", (char *)"a3xx"};
    int count = 4, file = mkstemp(source), out = mkstemp(output), old = dup(STDOUT_FILENO);
    assert_int_equal(write(file, shader, strlen(shader)), strlen(shader));
    close(file);
    for (; *options; options++)
        list[count++] = (char *)*options;
    list[count++] = source;
    struct session session = {.command = command_find("run"), .diagnostics = {.out = stderr, .mute = true}};
    struct input input;
    assert_int_equal(arguments_parse(&session.arguments, &session.diagnostics, session.command, count, list, 2), 0);
    session.json = arguments_have(&session.arguments, OPTION_JSON);
    assert_int_equal(input_open(&session, source, &input), EXIT_DONE);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    int code = run_code(&session, &input);
    fflush(stdout);
    dup2(old, STDOUT_FILENO);
    close(old);
    ssize_t length = pread(out, text, size - 1, 0);
    text[length > 0 ? length : 0] = 0;
    close(out);
    unlink(source);
    unlink(output);
    input_close(&input);
    arguments_free(&session.arguments);
    return code;
}

static void assert_holds(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("lacks '%s':\n%s", part, text);
}

static void registers_and_end(void)
{
    char text[4096];
    assert_int_equal(run_with((const char *const[]){NULL}, text, sizeof text), EXIT_DONE);
    assert_holds(text, "registers\n  r0.x                             0x3f000000  (was 0x00000000)\n"
                       "  r0.y                             0x3f800000  (was 0x00000000)\n");
    assert_holds(text, "end: ");
    assert_holds(text, "(at 0x3), 4 instructions\n");
}

static void objects(void)
{
    char text[4096];
    assert_int_equal(run_with((const char *const[]){"--json", NULL}, text, sizeof text), EXIT_DONE);
    assert_holds(text, "\"target\": \"a3xx\", \"registers\": [{\"processor\": \"0\", \"space\": ");
    assert_holds(text,
                 "\"name\": \"r0.y\", \"number\": 1, \"value\": \"0x3f800000\", \"before\": \"0x0\"}], \"memory\": []");
    assert_holds(text, "\"stop\": {\"reason\": \"end\"");
}

static void trace_and_limit(void)
{
    char text[4096];
    assert_int_equal(run_with((const char *const[]){"--trace", "--limit=2", NULL}, text, sizeof text), EXIT_FINDINGS);
    assert_holds(text, "0    0000: mov.f32f32 r0.x, (0.5");
    assert_holds(text, "0    0000:   r0.x = 0x3f000000\n");
    assert_holds(text, "limit: the limit of instructions is reached (at 0x2), 2 instructions\n");
    assert_null(strstr(text, "r0.y"));
}

static void memory(void)
{
    char text[4096];
    shader = stores;
    assert_int_equal(run_with((const char *const[]){"--policy=a3xx-unmapped=map", NULL}, text, sizeof text), EXIT_DONE);
    assert_holds(text, "registers\n  r0.x                             0x00000040  (was 0x00000000)\n"
                       "  r1.x                             0x00000007  (was 0x00000000)\nmemory\n"
                       "  [0x00000040] 0x00000007  (was 0x00000000)\nend: ");
    assert_int_equal(run_with((const char *const[]){"--policy=a3xx-unmapped=map", "--json", NULL}, text, sizeof text),
                     EXIT_DONE);
    assert_holds(text, "\"memory\": [{\"address\": \"0x40\", \"value\": \"0x7\", \"before\": \"0x0\"}]");
    shader = adds;
}

static void wrong_values(void)
{
    char text[4096];
    assert_int_equal(run_with((const char *const[]){"--limit=many", NULL}, text, sizeof text), EXIT_INPUT);
    assert_int_equal(run_with((const char *const[]){"--trace=memory", NULL}, text, sizeof text), EXIT_INPUT);
    assert_string_equal(text, "");
}

TESTS(run_code, registers_and_end, objects, trace_and_limit, memory, wrong_values)
