// SPDX-License-Identifier: MIT
// Starts `gpucode dap` and `gpucode lsp`; everything else is the protocols'.
const path = require('path');
const vscode = require('vscode');

const program = () => vscode.workspace.getConfiguration('gpucode').get('path', 'gpucode');
let client;

// The library that speaks the protocol is a package of its own: without it there are colours and the debugger.
function languageClient() {
  try {
    return require('vscode-languageclient/node');
  } catch {
    return undefined;
  }
}

function startServer(context) {
  const library = languageClient();
  if (!library) {
    vscode.window.showWarningMessage('gpucode: vscode-languageclient is missing; run `npm install` in the extension\'s folder.');
    return undefined;
  }
  const settings = vscode.workspace.getConfiguration('gpucode');
  client = new library.LanguageClient('gpucode', 'gpucode', { command: program(), args: ['lsp'] }, {
    documentSelector: ['afuc', 'hwsq', 'a3xx', 'mme', 'ir3'].map((language) => ({ language })),
    initializationOptions: {
      target: settings.get('target', ''), symbols: settings.get('symbols', []),
      commands: ['gpucode.run', 'gpucode.debug', 'gpucode.debugPacket'],
    },
    synchronize: { configurationSection: 'gpucode' },
  });
  context.subscriptions.push({ dispose: () => client.stop() });
  return client.start();
}

function debugFile(uri, commands) {
  const configuration = {
    type: 'gpucode', request: 'launch', name: 'Debug this file', program: vscode.Uri.parse(uri).fsPath, stopOnEntry: true,
  };
  if (commands) configuration.commands = commands;
  return vscode.debug.startDebugging(undefined, configuration);
}

// In a terminal: what ran is worth reading, and to be run again.
function runFile(uri) {
  const file = vscode.Uri.parse(uri).fsPath;
  const terminal = vscode.window.createTerminal({ name: `gpucode run ${path.basename(file)}`, cwd: path.dirname(file) });
  const quote = (text) => `'${text.replace(/'/g, "'\\''")}'`;
  terminal.show();
  terminal.sendText(`${quote(program())} run ${quote(file)}`);
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
        if (!configuration.type && !configuration.request && vscode.window.activeTextEditor) {
          return { type: 'gpucode', request: 'launch', name: 'Debug this file', program: '${file}', stopOnEntry: true };
        }
        return configuration;
      },
    }),
    vscode.commands.registerCommand('gpucode.searchPattern', searchPattern),
    vscode.commands.registerCommand('gpucode.run', runFile),
    vscode.commands.registerCommand('gpucode.debug', (uri) => debugFile(uri)),
    vscode.commands.registerCommand('gpucode.debugPacket', (uri, packet) => debugFile(uri, [`packet ${packet} 0`])));
  return startServer(context);
};

exports.deactivate = function () {
  return client && client.stop();
};
