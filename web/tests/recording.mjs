// SPDX-License-Identifier: MIT
// Recorded streams as large as a test wants them: packets of a few kinds, a draw now and then.
const odd = (bits) => {
    let ones = 0;
    for (; bits; bits &= bits - 1)
        ones++;
    return (ones & 1) ^ 1;
};
const type4 = (register, count) => ((0x40000000 | (odd(register) << 27) | (register << 8) | (odd(count) << 7) | count) >>> 0);
const type7 = (opcode, count) => ((0x70000000 | (odd(opcode) << 23) | (opcode << 16) | (odd(count) << 15) | count) >>> 0);

// So many packets, in so many command streams of one submit each.
export function many_packets(count, streams = 1) {
    const words = [13, 4, 630], each = count / streams;
    for (let stream = 0; stream < streams; stream++) {
        const address = 0x100000 + stream * 0x2000000, packets = [];
        for (let i = 0; i < each; i++)
            if (i % 50 === 49)
                packets.push(type7(0x38, 3), 0x86, 1, 4); // CP_DRAW_INDX_OFFSET
            else if (i % 7 === 0)
                packets.push(type7(0x10, 2), i, stream); // CP_NOP
            else if (i % 31 === 0)
                packets.push(type7(0x26, 0)); // CP_WAIT_FOR_IDLE
            else
                packets.push(type4(0x8800 + (i % 90), 1), i);
        words.push(3, 12, address, packets.length * 4, 0, 12, packets.length * 4);
        for (const word of packets) // spreading so many arguments is too much for the stack
            words.push(word);
        words.push(6, 12, address, packets.length, 0);
    }
    return Buffer.from(new Uint32Array(words).buffer);
}

const pixel_code = `
	cov.u32f32 r1.x, r0.x
	cov.u32f32 r1.y, r0.y
	(rpt2)nop
	mul.f r1.x, r1.x, c0.x
	mul.f r1.y, r1.y, c0.x
	(rpt5)nop
	sam (f32)(xyzw)r2.x, r1.x, s#0, t#0
	(sy)nop
	end`;
const varying_code = `
	bary.f (ei)r2.x, 0, r0.x
	(rpt5)nop
	end`;

// The text of a recording with a draw: its fragment shader looks up a texture of two texels, red and green, each 2 pixels wide,
// or with `varying` has the first varying for its colour. `hangs`: a word that is no packet follows.
// `branches`: the code of the first has one, over nothing.
export const drawn = ({ varying = false, hangs = false, branches = false } = {}) => `
.recording a6xx
.gpu 630
.buffer code, 0x110000, 0x80
.contents
    .code ir3:a630${varying ? varying_code : branches ? pixel_code.replace("(sy)nop", "(sy)jump #l8\n\tl8:\n\t(jp)nop") : pixel_code}
    .end
.buffer texels, 0x140000, 0x80
.contents
    .word 0xff0000ff, 0xff00ff00, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    .word 0xff0000ff, 0xff00ff00
.buffer commands, 0x100000, 0x240
.contents
    SP_PS_BASE = &code
    SP_PS_INSTR_SIZE = 1
    SP_PS_CONFIG = { ENABLED | NTEX = 1 | NSAMP = 1 | NUAV = 0 }
    SP_REG_PROG_ID_1 = { IJ_PERSP_PIXEL = ${varying ? "r0.x" : "r63.x"} | IJ_LINEAR_PIXEL = r63.x | IJ_PERSP_CENTROID = r63.x | IJ_LINEAR_CENTROID = r63.x }
    SP_REG_PROG_ID_2 = { IJ_PERSP_SAMPLE = r63.x | IJ_LINEAR_SAMPLE = r63.x | XYCOORDREGID = ${varying ? "r63.x" : "r0.x"} | ZWCOORDREGID = r63.x }
    CP_LOAD_STATE6_FRAG {
        STATE_TYPE = ST6_CONSTANTS | STATE_BLOCK = SB6_FS_SHADER | NUM_UNIT = 1
        0
        0
        .word 0x3d000000, 0, 0, 0
    }
    CP_LOAD_STATE6_FRAG {
        STATE_TYPE = ST6_SHADER | STATE_BLOCK = SB6_FS_TEX | NUM_UNIT = 1
        0
        0
        .word 0x00000000, 0, 0, 0
    }
    CP_LOAD_STATE6_FRAG {
        STATE_TYPE = ST6_CONSTANTS | STATE_BLOCK = SB6_FS_TEX | NUM_UNIT = 1
        0
        0
        .word 0x4c006880, 0x00010002, 0x20002000, 0, 0x140000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    }
    CP_DRAW_INDX_OFFSET {
        PRIM_TYPE = DI_PT_TRILIST | SOURCE_SELECT = DI_SRC_SEL_AUTO_INDEX
        NUM_INSTANCES = 1
        NUM_INDICES = 3
    }
${hangs ? "    .word 0x11111111\n" : ""}commands_end:
.stream &commands, &words(commands, commands_end)
`;
