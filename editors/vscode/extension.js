// SPDX-License-Identifier: MIT
// Starts `gpucode dap` and `gpucode lsp`; everything else is the protocols'.
const path = require('path');
const vscode = require('vscode');

const manifest = require('./package.json');

const languages = manifest.contributes.languages.map(({ id }) => id);
const setting = (name, usual) => vscode.workspace.getConfiguration('gpucode').get(name, usual);
const program = () => setting('path', 'gpucode');
let client;

// The library that speaks the protocol is a package of its own, or in the bundle: without it there are colours and the
// debugger.
function languageClient() {
  for (const place of ['./dist/client', './client']) {
    try {
      return require(place);
    } catch {
      // the next one
    }
  }
  return undefined;
}

// The language of a text by its first line that is neither empty nor a comment, or by a `.target` among its first lines.
// The editor itself looks at the first line alone.
function languageOf(text) {
  const lines = text.slice(0, 8192).replace(/\/\*[^]*?(\*\/|$)/g, '').split(/\r?\n/).slice(0, 100)
    .filter((line) => !/^\s*(;|#(?!!)|\/\/(?!!)|$)/.test(line));
  const told = lines.find((line) => /^\s*(\.target|\/\/!\s*target)\s/.test(line));
  for (const line of [told, lines[0]]) {
    const found = line && manifest.contributes.languages.find(({ firstLine }) => new RegExp(firstLine).test(line));
    if (found) return found.id;
  }
  return undefined;
}

// Documents that the editor takes for text or another assembly language.
function recognise(document) {
  const language = !languages.includes(document.languageId) && manifest.activationEvents.includes(`onLanguage:${document.languageId}`)
    && languageOf(document.getText());
  return language ? vscode.languages.setTextDocumentLanguage(document, language) : undefined;
}

// The target of the settings, for a file of its set: `-t` and `target` of a launch have the last word over the file.
function targetOf(document) {
  const target = setting('target', '');
  const own = document && target.split(':')[0] === document.languageId && !/^\s*\.target\s/m.test(document.getText());
  return own ? target : undefined;
}

function startServer(context) {
  const library = languageClient();
  if (!library) {
    vscode.window.showWarningMessage('gpucode: vscode-languageclient is missing; run `npm install` in the extension\'s folder.');
    return undefined;
  }
  client = new library.LanguageClient('gpucode', 'gpucode', { command: program(), args: ['lsp'] }, {
    documentSelector: languages.map((language) => ({ language })),
    initializationOptions: {
      target: setting('target', ''), symbols: setting('symbols', []),
      commands: ['gpucode.run', 'gpucode.debug', 'gpucode.debugPacket'],
    },
    synchronize: { configurationSection: 'gpucode' },
  });
  context.subscriptions.push({ dispose: () => client.stop() });
  return client.start();
}

const documentOf = (uri) => (uri ? vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString())
  : vscode.window.activeTextEditor && vscode.window.activeTextEditor.document);

// The server gives addresses as text, menus as objects, the palette none.
const fileOf = (uri) => (typeof uri === 'string' ? vscode.Uri.parse(uri) : uri || documentOf().uri).fsPath;

function debugFile(uri, commands) {
  const configuration = { type: 'gpucode', request: 'launch', name: 'Debug this file', program: fileOf(uri), stopOnEntry: true };
  const target = targetOf(documentOf(uri));
  if (target) configuration.target = target;
  if (commands) configuration.commands = commands;
  return vscode.debug.startDebugging(undefined, configuration);
}

// In a terminal: what is printed is worth reading, and to be repeated.
function typed(command, uri) {
  const file = fileOf(uri);
  const target = targetOf(documentOf(uri));
  const terminal = vscode.window.createTerminal({ name: `gpucode ${command} ${path.basename(file)}`, cwd: path.dirname(file) });
  const quote = (text) => `'${text.replace(/'/g, "'\\''")}'`;
  terminal.show();
  terminal.sendText(`${quote(program())} ${command} ${target ? `-t ${quote(target)} ` : ''}${quote(file)}`);
}

// What the server finds, in the list that references have. The server's own command has the name gpucode.search.
async function searchPattern() {
  const editor = vscode.window.activeTextEditor;
  const pattern = editor && client && await vscode.window.showInputBox({
    prompt: 'Instructions as listings write them: `*` is any operand, $x or ?name the same wherever it stands, `...` any number of instructions',
    placeHolder: 'mov $x, *; ...; store $x, *',
  });
  if (!pattern) return undefined;
  try {
    const found = await client.sendRequest('workspace/executeCommand', {
      command: 'gpucode.search', arguments: [editor.document.uri.toString(), pattern],
    });
    const places = found.map(({ location: { uri, range: { start, end } } }) => new vscode.Location(vscode.Uri.parse(uri),
      new vscode.Range(start.line, start.character, end.line, end.character)));
    return vscode.commands.executeCommand('editor.action.goToLocations', editor.document.uri, editor.selection.active,
      places, 'peek', `gpucode: no place has ${pattern}`);
  } catch (error) {
    return vscode.window.showErrorMessage(`gpucode: ${error.message}`);
  }
}

exports.activate = function (context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('gpucode', {
      createDebugAdapterDescriptor() {
        return new vscode.DebugAdapterExecutable(program(), ['dap']);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider('gpucode', {
      // F5 without a launch.json debugs the open file
      resolveDebugConfiguration(folder, configuration) {
        const document = documentOf();
        const open = '${file}';
        const made = !configuration.type && !configuration.request && document
          ? { type: 'gpucode', request: 'launch', name: 'Debug this file', program: open, stopOnEntry: true } : configuration;
        const target = made.program === open && !made.target && targetOf(document);
        return target ? { ...made, target } : made;
      },
    }),
    vscode.commands.registerCommand('gpucode.searchPattern', searchPattern),
    vscode.commands.registerCommand('gpucode.run', (uri) => typed('run', uri)),
    vscode.commands.registerCommand('gpucode.check', (uri) => typed('lint', uri)),
    vscode.commands.registerCommand('gpucode.debug', (uri) => debugFile(uri)),
    vscode.commands.registerCommand('gpucode.debugPacket', (uri, packet) => debugFile(uri, [`packet ${packet} 0`])));
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(recognise));
  vscode.workspace.textDocuments.forEach(recognise);
  return startServer(context);
};

exports.languageOf = languageOf;

exports.deactivate = function () {
  return client && client.stop();
};
