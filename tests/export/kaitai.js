// SPDX-License-Identifier: MIT
// docs/kaitai, compiled by kaitai-struct-compiler, read what gpucode writes and say what gpucode says of it.
// usage: node kaitai.js GPUCODE SOURCE_ROOT
const assert = require('assert');
const child = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const compiler = require('kaitai-struct-compiler');
const yaml = require('js-yaml');
const KaitaiStream = require('kaitai-struct/KaitaiStream');

const [program, root] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kaitai-'));
const gpucode = (...args) => child.execFileSync(program, args, {maxBuffer: 1 << 26}).toString();

async function description(name) {
    const source = yaml.load(fs.readFileSync(path.join(root, 'docs/kaitai', name + '.ksy'), 'utf8'));
    const files = await compiler.compile('javascript', source, {importYaml: () => assert.fail('nothing is imported')}, false);
    const file = path.join(folder, Object.keys(files)[0]);
    fs.writeFileSync(file, Object.values(files)[0]);
    const made = require(file);
    const Parser = made[path.basename(file, '.js')] || made;
    return bytes => new Parser(new KaitaiStream(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
}

function checkFirmware(read, source, wanted) {
    const file = path.join(folder, 'code.fw');
    gpucode('asm', path.join(root, source), '-o', file);
    const bytes = fs.readFileSync(file);
    const info = JSON.parse(gpucode('info', '--json', file));
    const {image, prefix} = read(bytes);
    assert.strictEqual(info.layout, wanted);
    assert.strictEqual(prefix, 0);
    assert.strictEqual(image.id, parseInt(info.id, 16));
    assert.strictEqual(image.version, parseInt(info.version, 16));
    assert.strictEqual(image.sections.length, info.sections.length);
    let at = 0;
    image.sections.forEach((section, i) => {
        const says = info.sections[i];
        assert.strictEqual(at, says.start_words);
        assert.strictEqual(section.table, says.packet_table_words);
        at += section.table + 128 + (section.padding ? section.padding.length / 4 : 0);
        for (const packet of info.packets.filter(entry => entry.section === says.name))
            assert.strictEqual(section.handlers[parseInt(packet.opcode, 16)], packet.handler_words);
    });
    assert.strictEqual(at * 4 + image.rest.length, bytes.length - 4);
    if (image.hasSections)
        assert.strictEqual(image.totalWords, info.image_words);
    console.log(`${source}: ${image.sections.length} sections`);
}

function checkStream(read) {
    const file = path.join(folder, 'stream.rd');
    gpucode('asm', path.join(root, 'tests/gpu/stream.asm'), '-o', file);
    const bytes = fs.readFileSync(file);
    const marked = [];
    const isMark = record => record.type === 0xffffffff;
    const records = read(bytes).records.filter(record => !isMark(record));
    let at = 0;
    for (const record of records) {
        while (bytes.readUInt32LE(at) === 0xffffffff)
            at += 8;
        assert.strictEqual(bytes.readUInt32LE(at), record.type);
        assert.strictEqual(bytes.readUInt32LE(at + 4), record.lenPayload);
        if (record.type === 3 || record.type === 6) {
            const high = record.lenPayload >= 12 ? bytes.readUInt32LE(at + 16) : 0;
            assert.strictEqual(record.payload.address, bytes.readUInt32LE(at + 8) + high * 2 ** 32);
        }
        if (record.type === 13)
            assert.strictEqual(record.payload.value, bytes.readUInt32LE(at + 8));
        marked.push(Buffer.alloc(8, 0xff), bytes.subarray(at, at + 8 + record.lenPayload));
        at += 8 + record.lenPayload;
    }
    assert.strictEqual(at, bytes.length);
    assert(records.some(record => record.type === 3) && records.some(record => record.type === 6));
    // the form with a mark in front of every record has the same records
    const others = read(Buffer.concat(marked)).records.filter(record => !isMark(record));
    assert.deepStrictEqual(others.map(record => record.lenPayload), records.map(record => record.lenPayload));
    console.log(`stream.asm: ${records.length} records`);
}

(async () => {
    const firmware = await description('afuc_firmware');
    checkFirmware(firmware, 'examples/firmware/a7xx.asm', 'a7xx header');
    checkFirmware(firmware, 'examples/firmware/a6xx.asm', 'plain');
    checkStream(await description('rd_stream'));
    fs.rmSync(folder, {recursive: true});
})();
