// SPDX-License-Identifier: MIT
// docs/kaitai, compiled by kaitai-struct-compiler, read what gpucode writes and say what gpucode says of it.
// usage: node kaitai.js GPUCODE SOURCE_ROOT LAYOUTS
const assert = require('assert');
const child = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const compiler = require('kaitai-struct-compiler');
const yaml = require('js-yaml');
const KaitaiStream = require('kaitai-struct/KaitaiStream');

const [program, root, layouts] = process.argv.slice(2);
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

// Everything that both know of a file: the words of the two descriptions agree field by field.
function checkFirmware(read, file, target, wanted) {
    const bytes = fs.readFileSync(file);
    const info = JSON.parse(gpucode('info', '--json', ...(target ? ['-t', target] : []), file));
    const {image, prefix} = read(bytes);
    const fact = name => (info.facts.find(entry => entry.name === name) || {}).value;
    const {Layout} = image._root.constructor;
    const layout = Layout[image.layout].toLowerCase().replace(/_/g, ' ').replace('aqe', 'AQE');
    const sections = image.sections || [];
    assert.strictEqual(sections.length > 1 && layout === 'a5xx header' ? 'a5xx pair' : layout, info.layout, file);
    assert.strictEqual(info.layout, wanted);
    assert.strictEqual(prefix, 0);
    assert.strictEqual(image.id, parseInt(info.id, 16));
    assert.strictEqual(image.version, parseInt(info.version, 16));
    assert.strictEqual(image.totalWords === undefined ? undefined : `${image.totalWords}`, fact('total words'));
    assert.strictEqual(bytes.length / 4 - 1 - info.image_words, 0);
    if (image.isAqe) {
        assert.strictEqual(info.sections.length, 1);
        assert.strictEqual(image.code.length, info.sections[0].size_words);
        assert.strictEqual(info.sections[0].packet_table_words, undefined);
        return 1;
    }
    assert.strictEqual(sections.length, info.sections.length, file);
    let at = 0;
    sections.forEach((section, i) => {
        const says = info.sections[i], padding = section.padding ? section.padding.length / 4 : 0;
        assert.strictEqual(at, says.start_words);
        assert.strictEqual(section.table, says.packet_table_words);
        // what follows the last table is the section's where nothing else ends it
        if (i + 1 < sections.length)
            assert.strictEqual(section.table + 128, says.size_words);
        at += section.table + 128 + padding;
        let known = 0;
        for (const packet of (info.packets || []).filter(entry => entry.section === says.name)) {
            assert.strictEqual(section.handlers[parseInt(packet.opcode, 16)], packet.handler_words);
            known++;
        }
        assert(known > 100, `${file} ${says.name}: ${known} handlers`);
    });
    assert.strictEqual(at * 4 + image.rest.length, bytes.length - 4);
    return sections.length;
}

// Where a file is cut at a word, its form, sections and tables are those that `gpucode info` still sees.
function checkCut(read, file, target) {
    const whole = fs.readFileSync(file), cut = path.join(folder, 'cut.fw');
    const {Layout} = read(whole).image._root.constructor;
    let tables = 0, cuts = 0;
    for (let words = 6; words < whole.length / 4; words += 2 + (words >> 1)) {
        fs.writeFileSync(cut, whole.subarray(0, 4 * words));
        const run = child.spawnSync(program, ['info', '--json', ...(target ? ['-t', target] : []), cut]);
        const info = JSON.parse(run.stdout), {image} = read(fs.readFileSync(cut));
        if (image.isAqe)
            continue;
        const seen = image.sections.map(section => section.isWhole ? section.table : undefined);
        assert.deepStrictEqual(seen, info.sections.map(section => section.packet_table_words), `${file} ${words}`);
        const layout = Layout[image.layout].toLowerCase().replace(/_/g, ' ');
        assert.strictEqual(seen.length > 1 && layout === 'a5xx header' ? 'a5xx pair' : layout, info.layout, `${file} ${words}`);
        const {sections, rest} = image, last = sections[sections.length - 1];
        assert(last.isWhole || rest.length < 4, `${file} ${words}`);
        tables += seen.filter(table => table !== undefined).length;
        cuts++;
    }
    return [cuts, tables];
}

function checkExample(read, source, wanted) {
    const file = path.join(folder, 'code.fw');
    gpucode('asm', path.join(root, source), '-o', file);
    const [cuts, tables] = checkCut(read, file, null);
    assert(cuts > 7);
    console.log(`${source}: ${checkFirmware(read, file, null, wanted)} sections; ${cuts} cuts with ${tables} tables`);
}

// Files of all layouts, made of random words (layouts.c).
function checkLayouts(read) {
    const found = {};
    let cuts = 0, tables = 0;
    for (const line of child.execFileSync(layouts, [folder]).toString().trim().split('\n')) {
        const [file, target, ...wanted] = line.split(' ');
        const count = checkFirmware(read, path.join(folder, file), target, wanted.join(' '));
        const [more, whole] = checkCut(read, path.join(folder, file), target);
        cuts += more;
        tables += whole;
        found[wanted.join(' ')] = Math.max(count, found[wanted.join(' ')] || 0);
    }
    assert.deepStrictEqual(Object.keys(found).length, 7);
    assert(cuts > 100 && tables > 20, `${cuts} ${tables}`);
    console.log(`${cuts} cuts with ${tables} tables`);
    console.log(Object.entries(found).map(([name, count]) => `${name}: ${count}`).join(', '));
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
    checkExample(firmware, 'examples/firmware/a7xx.asm', 'a7xx header');
    checkExample(firmware, 'examples/firmware/a6xx.asm', 'plain');
    checkLayouts(firmware);
    checkStream(await description('rd_stream'));
    fs.rmSync(folder, {recursive: true});
})();
