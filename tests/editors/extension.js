// SPDX-License-Identifier: MIT
// usage: node extension.js GPUCODE SOURCE_ROOT
// What the manifest names exists, what it says of messages and attributes is so, and the code answers the editor.
const assert = require('assert');
const { spawnSync } = require('child_process');
const fs = require('fs');
const Module = require('module');
const os = require('os');
const path = require('path');

const [program, root] = process.argv.slice(2);
const folder = path.join(root, 'editors/vscode');
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
const gives = manifest.contributes;

// files
const steps = gives.walkthroughs.flatMap((one) => one.steps);
for (const file of [manifest.main, manifest.icon, 'client.js', ...steps.map((step) => step.media.markdown), ...gives.languages.map((l) => l.configuration), ...gives.grammars.map((g) => g.path)]) {
  assert.ok(fs.existsSync(path.join(folder, file)), file);
  if (file.endsWith('.json')) JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
}

// every language has colours, breakpoints and the debugger
const [debuggers] = gives.debuggers;
for (const { id } of gives.languages) {
  const grammar = gives.grammars.find((g) => g.language === id);
  assert.strictEqual(JSON.parse(fs.readFileSync(path.join(folder, grammar.path), 'utf8')).scopeName, grammar.scopeName);
  assert.ok(gives.breakpoints.some((b) => b.language === id), id);
  assert.ok(debuggers.languages.includes(id), id);
}
const first = (line) => gives.languages.filter((l) => new RegExp(l.firstLine).test(line)).map((l) => l.id).join();
assert.strictEqual(first('[016ee001]'), 'afuc');
assert.strictEqual(first('.target afuc:a7xx'), 'afuc');
assert.strictEqual(first('//! target hwsq:g94'), 'hwsq');
assert.strictEqual(first('.target hwsq:g94'), 'hwsq');
assert.strictEqual(first('(sy)(ss)mov.f32f32 r0.x, (2.0)'), 'a3xx');
assert.strictEqual(first('.target a3xx'), 'a3xx');
assert.strictEqual(first('mov eax, 1'), '');
// a folder that is not trusted cannot name the program that runs
assert.deepStrictEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, ['gpucode.path']);
// what people read names commands, settings and languages that are there
assert.ok(steps.length > 0);
for (const [, command] of steps.flatMap((step) => [...step.description.matchAll(/\(command:([\w.]+)/g)]))
  assert.ok(command.startsWith('workbench.') || gives.commands.some((one) => one.command === command), command);
for (const [, name] of steps.flatMap((step) => [...step.description.matchAll(/%22(gpucode\.\w+)%22/g)]))
  assert.ok(gives.configuration.properties[name], name);
for (const { id, extensions } of gives.languages)
  for (const extension of extensions)
    assert.ok(steps[1].description.includes(extension) || extension === '.qrisc', `${id} ${extension}`);

// launch attributes: those of the documentation
const documented = [...fs.readFileSync(path.join(root, 'docs/debugger.md'), 'utf8').split('## Editors')[1]
  .matchAll(/^\* ((?:`[^`]+`(?:, )?)+):/gm)].flatMap((match) => match[1].match(/[\w-]+/g));
const attributes = Object.keys(debuggers.configurationAttributes.launch.properties);
assert.ok(documented.length > 0);
assert.deepStrictEqual(attributes.sort(), documented.sort());
for (const configuration of [...debuggers.initialConfigurations, ...debuggers.configurationSnippets.map((s) => s.body)])
  for (const key of Object.keys(configuration))
    assert.ok(['type', 'request', 'name', ...attributes].includes(key), key);

// messages of the program itself, as a task would show them
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'gpucode-editor-'));
const broken = path.join(scratch, 'broken.asm');
fs.writeFileSync(broken, '[016ee001]\n[01000000]\n    mov $02, missing\n');
const said = spawnSync(program, ['asm', broken, '-o', path.join(scratch, 'out')], { encoding: 'utf8' });
const { pattern } = gives.problemMatchers[0];
const found = said.stderr.split('\n').map((line) => new RegExp(pattern.regexp).exec(line)).filter((match) => match);
assert.strictEqual(found.length, 1, said.stderr);
assert.deepStrictEqual(
  ['file', 'line', 'column', 'severity', 'message', 'code'].map((key) => found[0][pattern[key]]),
  [broken, '3', '14', 'error', "'missing' is not defined", 'undefined']);
fs.rmSync(scratch, { recursive: true });

// the code, with an editor that only remembers
const registered = {};
const remember = (name, value) => { registered[name] = value; return name; };
const editor = {
  Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
  Range: class { constructor(...places) { this.places = places; } },
  Uri: { parse: (uri) => ({ fsPath: decodeURIComponent(uri.replace('file://', '')), toString: () => uri }) },
  languages: { setTextDocumentLanguage: (document, id) => { registered.recognised.push([document.name, id]); } },
  commands: {
    registerCommand: (name, action) => remember(name, action),
    executeCommand: (name, ...given) => { registered.executed = [name, ...given]; },
  },
  DebugAdapterExecutable: class { constructor(command, args) { Object.assign(this, { command, args }); } },
  debug: {
    registerDebugAdapterDescriptorFactory: (type, factory) => { registered.factory = factory; return type; },
    registerDebugConfigurationProvider: (type, provider) => { registered.provider = provider; return type; },
    startDebugging: (folder, configuration) => { registered.started = configuration; return true; },
  },
  window: {
    activeTextEditor: { selection: { active: 7 } },
    showInputBox: () => Promise.resolve(registered.pattern),
    showErrorMessage: (text) => { registered.error = text; },
    createTerminal: () => ({ show() {}, sendText: (text) => { registered.typed = text; } }),
    showWarningMessage: (text) => { registered.warned = text; },
  },
  workspace: {
    textDocuments: [],
    getConfiguration: (section) => ({ get: (key) => (key === 'target' ? registered.target : `${section}.${key}`) }),
    onDidOpenTextDocument: (take) => remember('opened', take),
  },
};
registered.recognised = [];
registered.target = '';
const document = (uri, languageId, text) => ({
  name: uri, uri: { fsPath: uri.replace('file://', ''), toString: () => uri }, languageId, getText: () => text,
});
editor.window.activeTextEditor.document = document('file:///a/b.asm', 'afuc', 'nop\n');
const load = Module._load;
const library = {
  LanguageClient: class {
    constructor(id, name, server, options) { Object.assign(this, { id, name, server, options }); registered.client = this; }
    start() { this.running = true; return Promise.resolve(); }
    stop() { this.running = false; return Promise.resolve(); }
    sendRequest(method, params) {
      registered.asked = [method, params.command, ...params.arguments];
      if (params.arguments[1] === 'wrong') return Promise.reject(new Error('there is no instruction'));
      const at = (line, character) => ({ line, character });
      return Promise.resolve([{ location: { uri: 'file:///a/b.asm', range: { start: at(3, 4), end: at(3, 9) } }, bound: {} }]);
    }
  },
};
let libraryIsThere = true;
Module._load = (name, ...rest) => {
  if (name === 'vscode') return editor;
  if (name === './dist/client' || (name === './client' && !libraryIsThere)) throw new Error('not there');
  if (name === 'vscode-languageclient/node') return library;
  return load(name, ...rest);
};
const context = { subscriptions: [] };
const extension = require(path.join(folder, manifest.main));
editor.workspace.textDocuments = [document('listing', 'plaintext', '; comment\n\n.target afuc:a630\nnop\n')];
extension.activate(context);
assert.deepStrictEqual(context.subscriptions.slice(0, 7), [debuggers.type, debuggers.type, 'gpucode.searchPattern', 'gpucode.run',
  'gpucode.check', 'gpucode.debug', 'gpucode.debugPacket']);

// files are known by content, although they begin with a comment, and others are left alone
for (const [name, languageId, text] of [
  ['comment', 'asm', '/* two\n lines */\n\n[016ee001]\n[01000000]\n'], ['script', 'plaintext', '// a script\n//! target hwsq:g94\n'],
  ['shader', 'plaintext', '# words\n(sy)(ss)mov.f32f32 r0.x, (2.0)\n'], ['late', 'asm', 'start:\n  nop\n.target mme:fermi\n'],
  ['ir3', 'plaintext', '@localsize 1, 1, 1\n.target ir3:a630\n'], ['x86', 'asm', '; comment\nmov eax, 1\n'],
  ['mine', 'afuc', '.target hwsq:g94\n'], ['other', 'markdown', '.target hwsq:g94\n'], ['empty', 'plaintext', '']])
  registered.opened(document(name, languageId, text));
assert.deepStrictEqual(registered.recognised, [['listing', 'afuc'], ['comment', 'afuc'], ['script', 'hwsq'], ['shader', 'a3xx'],
  ['late', 'mme'], ['ir3', 'ir3']]);

// the language server, for every language, and what it may ask the editor to do
assert.deepStrictEqual([registered.client.server.command, ...registered.client.server.args], ['gpucode.path', 'lsp']);
assert.ok(registered.client.running && manifest.dependencies['vscode-languageclient']);
for (const { id } of gives.languages) {
  assert.ok(registered.client.options.documentSelector.some((one) => one.language === id), id);
  assert.ok(manifest.activationEvents.includes(`onLanguage:${id}`), id);
}
for (const name of registered.client.options.initializationOptions.commands) assert.ok(registered[name], name);
registered['gpucode.run']("file:///a/it%27s.asm");
assert.strictEqual(registered.typed, "'gpucode.path' run '/a/it'\\''s.asm'");
registered['gpucode.check']({ fsPath: '/a/c.asm' });
assert.strictEqual(registered.typed, "'gpucode.path' lint '/a/c.asm'");
// the palette gives no file; the target of the settings is for files of its set that do not say one
registered.target = 'afuc:a730';
registered['gpucode.run']();
assert.strictEqual(registered.typed, "'gpucode.path' run -t 'afuc:a730' '/a/b.asm'");
registered['gpucode.debug']();
assert.deepStrictEqual([registered.started.program, registered.started.target], ['/a/b.asm', 'afuc:a730']);
registered.target = 'hwsq:g94';
registered['gpucode.run']();
assert.strictEqual(registered.typed, "'gpucode.path' run '/a/b.asm'");
registered.target = '';
registered['gpucode.debugPacket']('file:///a/b.asm', 'CP_NOP', 16);
assert.deepStrictEqual([registered.started.program, registered.started.commands], ['/a/b.asm', ['packet CP_NOP 0']]);
// commands of the palette and the menu are there; the pattern that is typed goes to the server, and places to the list
for (const { command } of [...gives.commands, ...Object.values(gives.menus).flat()]) assert.ok(registered[command], command);
async function search() {
  registered.pattern = 'mov $x, *';
  await registered['gpucode.searchPattern']();
  assert.deepStrictEqual(registered.asked, ['workspace/executeCommand', 'gpucode.search', 'file:///a/b.asm', 'mov $x, *']);
  const [name, , , places] = registered.executed;
  assert.strictEqual(name, 'editor.action.goToLocations');
  assert.deepStrictEqual(places[0].range.places, [3, 4, 3, 9]);
  registered.pattern = 'wrong';
  await registered['gpucode.searchPattern']();
  assert.strictEqual(registered.error, 'gpucode: there is no instruction');
  registered.asked = registered.pattern = undefined;
  await registered['gpucode.searchPattern']();
  assert.strictEqual(registered.asked, undefined);
}
search().then(rest, (error) => { console.error(error); process.exit(1); });

function rest() {
  extension.deactivate();
  assert.ok(!registered.client.running);
  libraryIsThere = false;
  extension.activate({ subscriptions: [] });
  assert.ok(registered.warned.includes('npm install'));
  const executable = registered.factory.createDebugAdapterDescriptor();
  assert.strictEqual(executable.command, 'gpucode.path');
  assert.ok(gives.configuration.properties[executable.command]);
  assert.deepStrictEqual(executable.args, ['dap']);
  const made = registered.provider.resolveDebugConfiguration(undefined, {});
  assert.strictEqual(made.type, debuggers.type);
  assert.strictEqual(made.program, '${file}');
  assert.ok(!('target' in made));
  registered.target = 'afuc:a730';
  assert.strictEqual(registered.provider.resolveDebugConfiguration(undefined, {}).target, 'afuc:a730');
  const named = { type: 'gpucode', request: 'launch', program: '${file}', target: 'afuc:a630' };
  assert.strictEqual(registered.provider.resolveDebugConfiguration(undefined, named), named);
  editor.window.activeTextEditor.document = document('file:///a/b.asm', 'afuc', '; x\n  .target afuc:a750\n');
  assert.ok(!('target' in registered.provider.resolveDebugConfiguration(undefined, {})));
  const given = { type: 'gpucode', request: 'launch', program: 'x' };
  assert.strictEqual(registered.provider.resolveDebugConfiguration(undefined, given), given);
  editor.window.activeTextEditor = undefined;
  const empty = {};
  assert.strictEqual(registered.provider.resolveDebugConfiguration(undefined, empty), empty);
}
