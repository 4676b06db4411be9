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
