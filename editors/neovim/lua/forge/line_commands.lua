---Commands typed in a window: what they do with lines of the file, and which of them would see only loaded lines.
local command_line = require("forge.command_line")
local messages = require("forge.messages")
local names = require("forge.names")
local numbers = require("forge.numbers")
local places = require("forge.places")
local write = require("forge.write")
local yank = require("forge.yank")

local M = {}

local is_name, one_of = command_line.is_name, command_line.one_of

---@param message string
---@param hint? string
local function refuse(message, hint)
  messages.fail({ code = "INVALID_ARGUMENT", message = message, hint = hint })
end

---@alias forge.CommandAction fun(view: forge.View, command: forge.TypedCommand)
---@alias forge.RangeAction fun(view: forge.View, command: forge.TypedCommand, range: forge.Range)

---@param act forge.RangeAction
---@param is_whole_by_default? boolean
---@return forge.CommandAction
local function with_range(act, is_whole_by_default)
  return function(view, command)
    command_line.resolve(view, command, function(first, last)
      if #command.addresses == 0 then
        first, last = is_whole_by_default and 1 or view:line(), is_whole_by_default and "end" or view:line()
      end
      if first == "end" and last == "end" then
        first, last = view:last_line(), view:last_line()
      elseif first == "end" or type(last) == "number" and first > last then
        first, last = last, first
      end
      if not first then
        return messages.warn(command_line.no_last_line(view))
      end
      act(view, command, { first = first, last = last ~= "end" and last or nil })
    end)
  end
end

---@param range forge.Range
---@param count string typed after the command: so many lines, from the last one of the range
---@return forge.Range
local function with_count(range, count)
  local first = range.last or range.first
  return count == "" and range or { first = first, last = first + tonumber(count) - 1 }
end

local yank_lines = with_range(function(view, command, range)
  local register, count = command.argument:match("^([^%d%s]?)%s*(%d*)$")
  if not register then
    return refuse(":yank takes a register and a count")
  end
  yank.lines(view, with_count(range, count), register ~= "" and register or vim.v.register)
end)

---@param command string
---@return string `%` and `#` in it mean files, not buffers, as in `wc %:p`
local function with_names(command)
  local parts, position = {}, 1
  while true do
    local start = command:find("[%%#\\]", position)
    table.insert(parts, command:sub(position, start and start - 1))
    if not start then
      return table.concat(parts)
    elseif command:find("^\\", start) then
      local is_escaped = command:find("^[%%#]", start + 1)
      table.insert(parts, command:sub(is_escaped and start + 1 or start, start + 1))
      position = start + 2
    else
      local after = command:match("^[%%#]%d*()", start)
      while command:find("^:[phtre~.S]", after) do
        after = after + 2
      end
      table.insert(parts, names.path_of(vim.fn.expand(command:sub(start, after - 1))))
      position = after
    end
  end
end

local write_lines = with_range(function(view, command, range)
  local arrows, target = command.argument:match("^(>?>?)%s*(.*)$")
  if target == "" then
    return refuse("a window cannot be changed", ":w {file} writes lines")
  elseif target:find("^!") then
    return write.to_command(view, range, with_names(target:sub(2)))
  elseif target:find("^%+%+") then
    return refuse("++ options are not understood by :w in a window")
  elseif target:gsub("\\.", ""):find("|", 1, true) then
    return refuse("nothing can follow :w {file} in a window")
  end
  local name = names.path_of(vim.fn.expandcmd(target)) -- `%` is the name of the buffer.
  local path = vim.fs.normalize(vim.fn.fnamemodify(name, ":p"), { expand_env = false })
  write.to_file(view, range, path, { overwrites = command.bang, appends = arrows == ">>" })
end, true)

---@param view forge.View
---@param name string of the command
---@param range forge.Range
---@return integer[]? rows the first and the last, if all are loaded; otherwise that is said
local function loaded_rows(view, name, range)
  local last = range.last and view:row(range.last) or not range.last and view.at_end and view.count
  local first = range.first == 1 and view:starts_with_first() and 1 or view:row(range.first)
  if first and last then
    return { first, last }
  end
  refuse((":%s sees only loaded lines, and some of these are not"):format(name), ":y and :w take any")
end

---A command of Neovim's own, with the rows of the buffer in place of the file's lines.
local run_natively = with_range(function(view, command, range)
  local rows = loaded_rows(view, command.name, range)
  if not rows then
    return
  end
  local with_rows = ("%d,%d%s"):format(rows[1], rows[2], command.rest)
  local ran, failure = pcall(vim.cmd, command.modifiers .. with_rows)
  if not ran then
    local reason = tostring(failure):match("E%d+: .*") or tostring(failure)
    refuse((reason:gsub(": " .. vim.pesc(with_rows) .. "$", "")))
  end
end)

---`:print` with the file's numbers: Neovim would show the rows of the buffer.
local print_lines = with_range(function(view, command, range)
  local count = command.argument:match("^%d*$")
  if not count then
    return refuse((":%s takes a count"):format(command.name))
  end
  local rows = loaded_rows(view, command.name, with_count(range, count))
  if not rows then
    return
  end
  local is_list = is_name(command.name, "l", "list")
  local is_numbered = vim.wo.number or not (is_list or is_name(command.name, "p", "print"))
  local lines = vim.api.nvim_buf_get_lines(view.buf, rows[1] - 1, rows[2], false)
  for index, line in ipairs(lines) do
    line = line:gsub("%z", "^@")
    line = is_list and vim.fn.strtrans(line) .. "$" or line
    lines[index] = is_numbered and ("%d %s"):format(view:number(rows[1] + index - 1), line) or line
  end
  vim.api.nvim_echo({ { table.concat(lines, "\n") } }, false, {})
end)

---@type forge.CommandAction
local function go_to_line(view, command)
  command_line.resolve(view, command, function(_, last)
    places.jump(view, last, { column = view:kept_column() })
  end)
end

---@type forge.CommandAction
local function tell_line(view, command)
  command_line.resolve(view, command, function(_, last)
    local line = type(last) == "number" and last or view:last_line()
    messages.tell(line and numbers.grouped(line) or command_line.no_last_line(view))
  end)
end

---@type forge.CommandAction
local function set_mark(view, command)
  if #command.addresses > 0 then
    return refuse("go to the line, then m sets a mark")
  end
  places.set(view, command.name:match("^k(%a)$") or command.argument:sub(1, 1))
end

---@type forge.CommandAction
local function delete_marks(view, command)
  places.delete(view, command.bang and "a-z" or command.argument)
end

---@type forge.CommandAction
local function go_to_byte(view, command)
  local byte = command.argument ~= "" and command.argument or (command.addresses[1] or {}).line or 1
  if tonumber(byte) ~= 1 then
    return refuse("bytes are not counted in a window; {count}% goes by lines")
  end
  places.jump(view, 1)
end

---@type forge.CommandAction
local function name_file(view, command)
  if command.argument ~= "" or #command.addresses > 0 then
    return refuse("a window keeps the name of its file", ":w {file} writes lines to another one")
  end
  numbers.tell_figures(view)
end

---@param list fun(view: forge.View): string[]
---@return forge.CommandAction
local function show_list(list)
  return function(view)
    vim.api.nvim_echo({ { table.concat(list(view), "\n") } }, true, {})
  end
end

---@param message string
---@param hint string
---@return forge.CommandAction
local function refusal(message, hint)
  return function(_, command)
    refuse(message:format(command.name), hint)
  end
end

local SEES_LOADED = ":%s would see only the lines that are loaded"
local WITH_FILTER = refusal(SEES_LOADED, ":Forge filter sees all of the file")
local WITH_GREP = refusal(SEES_LOADED, ":Forge grep sees all of the file")
local WITH_FILE = refusal(SEES_LOADED, ":w {file} writes all of them")
local WRITES_LOADED = refusal(":%s would write only the lines that are loaded", ":w {file} writes all of them")

---@param view forge.View
---@param command forge.TypedCommand
---@return boolean whether one of the files that are searched is this window
local function searches_window(view, command)
  local delimiter = command.argument:match("^[^%w%s]")
  local files = delimiter and command.argument:match("^%p.-[^\\]%" .. delimiter .. "[gjf]*%s+(.*)$")
    or command.argument:match("^%S+%s+(.*)$")
  local window = vim.api.nvim_buf_get_name(view.buf)
  return vim.iter(vim.split(files or "", "%s+", { trimempty = true })):any(function(file)
    return file:find("^[%%#]") ~= nil and vim.fn.expand(file) == window or file == window
  end)
end

---@param command forge.TypedCommand
---@return boolean
local function has_range(_, command)
  return #command.addresses > 0
end

---@param command forge.TypedCommand
---@return boolean
local function has_argument(_, command)
  return command.argument ~= ""
end

---@class forge.LineCommand
---@field [1] string Its shortest form.
---@field [2] string Its longest form.
---@field [3] forge.CommandAction
---@field when? fun(view: forge.View, command: forge.TypedCommand): boolean

---@type forge.LineCommand[]
local COMMANDS = {
  { "", "", go_to_line, when = has_range },
  { "y", "yank", yank_lines, when = has_range },
  { "w", "write", write_lines },
  { "p", "print", print_lines },
  { "l", "list", print_lines },
  { "nu", "number", print_lines },
  { "#", "#", print_lines },
  { "=", "=", tell_line },
  { "!", "!", refusal("a window cannot be changed", ":w {file} writes lines"), when = has_range },
  { "k", "k", set_mark },
  { "ma", "mark", set_mark },
  { "delm", "delmarks", delete_marks },
  { "marks", "marks", show_list(places.list) },
  { "ju", "jumps", show_list(places.list_jumps) },
  { "cle", "clearjumps", places.clear_jumps },
  { "f", "file", name_file },
  { "go", "goto", go_to_byte },
  { "sav", "saveas", WRITES_LOADED, when = has_argument },
  { "wq", "wq", WRITES_LOADED },
  { "x", "xit", WRITES_LOADED, when = has_argument },
  { "exi", "exit", WRITES_LOADED, when = has_argument },
  { "up", "update", WRITES_LOADED, when = has_argument },
  { "g", "global", WITH_FILTER },
  { "v", "vglobal", WITH_FILTER },
  { "vim", "vimgrep", WITH_GREP, when = searches_window },
  { "vimgrepa", "vimgrepadd", WITH_GREP, when = searches_window },
  { "lv", "lvimgrep", WITH_GREP, when = searches_window },
  { "lvimgrepa", "lvimgrepadd", WITH_GREP, when = searches_window },
  { "is", "isearch", WITH_GREP },
  { "il", "ilist", WITH_GREP },
  { "ij", "ijump", WITH_GREP },
  { "ds", "dsearch", WITH_GREP },
  { "dli", "dlist", WITH_GREP },
  { "dj", "djump", WITH_GREP },
  { "cb", "cbuffer", WITH_FILE },
  { "cgetb", "cgetbuffer", WITH_FILE },
  { "cad", "caddbuffer", WITH_FILE },
  { "lb", "lbuffer", WITH_FILE },
  { "lgetb", "lgetbuffer", WITH_FILE },
  { "laddb", "laddbuffer", WITH_FILE },
  { "difft", "diffthis", WITH_FILE },
}

---@param command forge.TypedCommand
---@return boolean whether its range means lines, and not windows, buffers or entries of a list
local function takes_lines(command)
  local parsed, found = pcall(vim.api.nvim_parse_cmd, "1" .. command.rest, {})
  return not parsed or found.addr == "line" or found.addr == nil
end

---@param view forge.View
---@param command forge.TypedCommand
---@return forge.CommandAction? act nil where Neovim does it as usual
local function action(view, command)
  local name = command.name:find("^k%a$") and "k" or command.name
  local found = one_of(name, COMMANDS)
  if found and (not found.when or found.when(view, command)) then
    return found[3]
  end
  return has_range(view, command) and takes_lines(command) and run_natively or nil
end

---What was typed in the command line of a window.
---@param view forge.View
---@param typed string
---@return fun()? act what to do instead of it
function M.action(view, typed)
  local command = command_line.parse(view, typed)
  local act = action(view, command)
  if act and not view.etag and command.name ~= "" then
    return function()
      messages.say_still_reading(view.path)
    end
  end
  return act and function()
    act(view, command)
  end
end

return M
