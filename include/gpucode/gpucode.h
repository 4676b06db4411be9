/* SPDX-License-Identifier: MIT */
/*
 * All of the library's public interface.
 *
 *     #include <gpucode/gpucode.h>
 *     int main(void) { puts(gpucode_version()); }
 *
 * Each header can also be included and read alone.
 */
#ifndef GPUCODE_GPUCODE_H
#define GPUCODE_GPUCODE_H

#include <gpucode/a3xx.h>
#include <gpucode/action.h>
#include <gpucode/analysis.h>
#include <gpucode/answer.h>
#include <gpucode/asm.h>
#include <gpucode/compare.h>
#include <gpucode/debug.h>
#include <gpucode/diagnostic.h>
#include <gpucode/elf.h>
#include <gpucode/fields.h>
#include <gpucode/form.h>
#include <gpucode/hwsq.h>
#include <gpucode/image.h>
#include <gpucode/insn.h>
#include <gpucode/ir3.h>
#include <gpucode/lint.h>
#include <gpucode/machine.h>
#include <gpucode/names.h>
#include <gpucode/packet.h>
#include <gpucode/report.h>
#include <gpucode/schedule.h>
#include <gpucode/shader.h>
#include <gpucode/source.h>
#include <gpucode/status.h>
#include <gpucode/symbols.h>
#include <gpucode/target.h>

#endif
