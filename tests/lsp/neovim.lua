-- SPDX-License-Identifier: MIT
-- nvim --headless --clean -n -S neovim.lua, with PROGRAM and SOURCE in the environment: what an editor sees.
local function fail(what)
  print('FAILED: ' .. what .. '\n')
  vim.cmd('cquit 1')
end

local function check(holds, what)
  if not holds then
    fail(what)
  end
end

local function run()
  vim.cmd('edit ' .. vim.env.SOURCE)
  local id = vim.lsp.start_client({ name = 'gpucode', cmd = { vim.env.PROGRAM, 'lsp' }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(0, id)
  local function errors()
    return vim.tbl_filter(function(one) return one.severity == vim.diagnostic.severity.ERROR end, vim.diagnostic.get(0))
  end
  check(vim.wait(20000, function() return #errors() == 1 end), 'one error: ' .. vim.inspect(vim.diagnostic.get(0)))
  check(errors()[1].lnum == 3 and errors()[1].col == 4, 'its place: ' .. vim.inspect(errors()))

  local function ask(method, line, character, more)
    local params = vim.tbl_extend('force', {
      textDocument = vim.lsp.util.make_text_document_params(),
      position = { line = line, character = character },
      context = { includeDeclaration = true },
    }, more or {})
    local answers = vim.lsp.buf_request_sync(0, 'textDocument/' .. method, params, 20000)
    local answer = answers and answers[id] or {}
    check(not answer.error, method .. ': ' .. vim.inspect(answer))
    return answer.result
  end

  check(ask('hover', 4, 5).contents.value:find('jump'), 'hover')
  check(ask('definition', 4, 9)[1].range.start.line == 2, 'definition')
  check(#ask('references', 2, 0) == 2, 'references')
  check(#ask('documentSymbol', 0, 0) == 2, 'symbols')
  local labels = vim.tbl_map(function(item) return item.label end, ask('completion', 3, 6).items)
  check(vim.tbl_contains(labels, 'mov'), 'completion')

  -- the quick fix, applied as the editor does it
  local actions = ask('codeAction', 3, 4, { range = { start = { line = 3, character = 4 }, ['end'] = { line = 3, character = 4 } },
    context = { diagnostics = {} } })
  check(actions[1].title == 'Replace by mov', 'quick fix: ' .. vim.inspect(actions))
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  check(vim.wait(20000, function() return #errors() == 0 end), 'no error is left: ' .. vim.inspect(vim.diagnostic.get(0)))

  -- typing behind characters of two UTF-16 units
  vim.api.nvim_buf_set_lines(0, 3, 4, false, { '    mov $02, SIZE ; 𝄞é', '    mvo $01, SIZE' })
  check(vim.wait(20000, function() return #errors() == 1 end), 'another error')
  check(errors()[1].lnum == 4 and errors()[1].col == 4, 'its place: ' .. vim.inspect(errors()))
  vim.api.nvim_buf_set_text(0, 3, 24, 3, 26, { 'e' })
  vim.api.nvim_buf_set_lines(0, 4, 5, false, {})
  check(vim.wait(20000, function() return #errors() == 0 end), 'taken back: ' .. vim.inspect(vim.diagnostic.get(0)))

  local edit = ask('rename', 2, 0, { newName = 'again' })
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  check(text:find('again:') and text:find('#again') and not text:find('loop'), 'renamed: ' .. text)
  check(vim.wait(20000, function() return #errors() == 0 end), 'no error behind renaming')
  print('neovim: passed\n')
  vim.lsp.stop_client(id)
  vim.cmd('qall!')
end

local good, message = pcall(run)
if not good then
  fail(message)
end
