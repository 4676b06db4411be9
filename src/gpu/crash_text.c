/* SPDX-License-Identifier: MIT */
#include "front/terminal.h"
#include "gpu/crash_page.h"

#include <stdio.h>
#include <string.h>

void crash_heading(const struct crash_page *page, const char *text)
{
    printf(page->color ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

void crash_print_text(const char *text)
{
    excerpt_text(stdout, text, strlen(text));
}
