// SPDX-License-Identifier: MIT
// usage: node client.js GPUCODE SOURCE
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [program, source] = process.argv.slice(2);
// the library starts a script with a runtime; ours is a program with an argument
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gpucode-dap-'));
const adapter = path.join(folder, 'adapter.sh');
fs.writeFileSync(adapter, `exec '${program}' dap\n`);

async function run() {
  const client = new DebugClient('/bin/sh', adapter, 'gpucode');
  await client.start();
  const capabilities = await client.initializeRequest();
  assert.ok(capabilities.body.supportsStepBack && capabilities.body.supportsDisassembleRequest);

  await Promise.all([
    client.waitForEvent('initialized').then(() => client.configurationDoneRequest()),
    client.launch({ program: source, stopOnEntry: true }),
    client.assertStoppedLocation('entry', { path: source, line: 1 }),
  ]);

  await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [{ line: 19 }] });
  await Promise.all([
    client.assertStoppedLocation('breakpoint', { path: source, line: 19 }),
    client.continueRequest({ threadId: 1 }),
  ]);
  const value = async (expression) => (await client.evaluateRequest({ expression, context: 'watch' })).body.result;
  assert.strictEqual(await value('$04'), '0');
  await Promise.all([
    client.assertStoppedLocation('step', { path: source, line: 20 }),
    client.stepInRequest({ threadId: 1 }),
  ]);
  assert.strictEqual(await value('$04'), '6');
  await Promise.all([
    client.assertStoppedLocation('step', { path: source, line: 19 }),
    client.stepBackRequest({ threadId: 1 }),
  ]);
  assert.strictEqual(await value('$04'), '0');

  const frames = (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
  assert.strictEqual(frames[0].name, 'work+0x1');
  const code = await client.send('disassemble', {
    memoryReference: frames[0].instructionPointerReference, instructionOffset: 0, instructionCount: 2 });
  assert.strictEqual(code.body.instructions[0].instruction, '(rep)add $04, $04, 0x2');

  // a loop without an end is paused
  await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [] });
  const paused = client.waitForEvent('stopped');
  await client.continueRequest({ threadId: 1 });
  await new Promise((done) => setTimeout(done, 200));
  // meanwhile the editor asks which threads it may pause
  assert.deepStrictEqual((await client.threadsRequest()).body.threads, [{ id: 1, name: 'SQE' }]);
  await client.pauseRequest({ threadId: 1 });
  assert.strictEqual((await paused).body.reason, 'pause');
  assert.ok(Number((await value('$position')).split(' ')[0]) > 1000);

  await client.stop(); // sends disconnect
}

run().then(() => {
  fs.rmSync(folder, { recursive: true });
  process.exit(0);
}, (error) => {
  console.error(error);
  process.exit(1);
});
