---Commands with a range, as typed in the command line of a window: their lines are the file's.
local copy = require("forge.copy")
local messages = require("forge.messages")
local names = require("forge.names")
local numbers = require("forge.numbers")
local places = require("forge.places")

local M = {}

---A line of the file. Its end has no number before the lines are counted.
---@alias forge.Address integer|"end"

---@class forge.TypedCommand
---@field first? forge.Address
---@field last? forge.Address
---@field count integer How many addresses were typed.
---@field name string
---@field bang boolean
---@field argument string
---@field modifiers string
---@field rest string All that comes after the range.

---Command modifiers, shortest form first.
local MODIFIERS = {
  { "sil", "silent" },
  { "uns", "unsilent" },
  { "verb", "verbose" },
  { "noa", "noautocmd" },
  { "loc", "lockmarks" },
  { "keepa", "keepalt" },
  { "keepj", "keepjumps" },
  { "kee", "keepmarks" },
  { "keepp", "keeppatterns" },
  { "conf", "confirm" },
  { "san", "sandbox" },
}

---Commands that print lines, with their numbers or without.
local PRINTS = { { "p", "print" }, { "l", "list" }, { "nu", "number" }, { "#", "#" } }

---Commands that write to another file and do something else as well, shortest form first.
local OTHER_WRITES = { { "sav", "saveas" }, { "wq", "wq" }, { "x", "xit" }, { "exi", "exit" }, { "up", "update" } }

---@param typed string
---@param short string
---@param long string
---@return boolean
local function is_name(typed, short, long)
  return #typed >= #short and vim.startswith(long, typed)
end

---@param typed string
---@param commands string[][] shortest form first
---@return boolean
local function is_one_of(typed, commands)
  return vim.iter(commands):any(function(name)
    return is_name(typed, name[1], name[2])
  end)
end

---@param view forge.View
---@return string why the number of its last line is not known
local function no_last_line(view)
  return view.filter and "which match is the last one is not known yet; G goes there" or messages.STILL_COUNTING
end

---@param view forge.View
---@param text string
---@param here? integer the line that `.` and a sign alone mean; nil where it has no number yet
---@return forge.Address? address nil where there is none
---@return string rest
---@return string? failure
local function parse_address(view, text, here)
  text = text:gsub("^%s+", "")
  local line ---@type forge.Address?
  local digits, rest = text:match("^(%d+)(.*)$")
  if digits then
    line = tonumber(digits)
  elseif text:find("^%.") then
    if not here then
      return nil, text, messages.STILL_COUNTING
    end
    line, rest = here, text:sub(2)
  elseif text:find("^%$") then
    line, rest = "end", text:sub(2)
  elseif text:find("^'.") then
    local place, path = places.get(view, text:sub(2, 2))
    if not place or path then
      return nil, text, ("mark %s is not set"):format(text:sub(2, 2))
    elseif place.line < 0 then
      return nil, text, messages.STILL_COUNTING
    end
    line, rest = place.line, text:sub(3)
  elseif text:find("^[/?]") or text:find("^\\[/?&]") then
    return nil, text, "patterns in a range are not understood here; use line numbers or marks"
  else
    rest = text
  end
  while rest:find("^%s*[+-]") do
    local sign, number, after = rest:match("^%s*([+-])(%d*)()")
    local base = line == "end" and view:last_line() or line or here
    if type(base) ~= "number" then
      return nil, text, line and no_last_line(view) or messages.STILL_COUNTING
    end
    local amount = tonumber(number) or 1
    line = base + (sign == "+" and amount or -amount)
    rest = rest:sub(after)
  end
  if type(line) == "number" then
    line = math.max(1, line)
  end
  return line, rest
end

---@param view forge.View
---@param typed string
---@return forge.TypedCommand?
---@return string? failure
local function parse(view, typed)
  local text = typed:gsub("^[%s:]+", "")
  local modifiers = ""
  while true do
    local modifier, after = text:match("^(%a+!?)%s+(.*)$")
    if modifier and is_one_of((modifier:gsub("!", "")), MODIFIERS) then
      modifiers, text = modifiers .. modifier .. " ", after
    else
      break
    end
  end
  local command = { count = 0, modifiers = modifiers }
  if text:find("^%%") then
    command.first, command.last, command.count, text = 1, "end", 2, text:sub(2)
  elseif text:find("^%*") and view.selected then
    text = "'<,'>" .. text:sub(2)
  end
  if command.count == 0 then
    local here = view:line() > 0 and view:line() or nil ---@type integer?
    while true do
      local address, rest, failure = parse_address(view, text, here)
      if failure then
        return nil, failure
      end
      local separator, after = rest:match("^%s*([,;])(.*)$")
      if not address and not separator and command.count == 0 then
        break
      end
      address = address or here
      if not address then
        return nil, messages.STILL_COUNTING
      end
      command.first, command.last = command.last or address, address
      command.count, text = command.count + 1, after or rest
      if not separator then
        break
      elseif separator == ";" and type(address) == "number" then
        here = address
      end
    end
  end
  command.rest = text:gsub("^%s+", "")
  local name, bang, argument = command.rest:match("^(%a+)(!?)%s*(.*)$")
  if not name then
    name, argument = command.rest:match("^([^%w%s]?)%s*(.*)$")
  end
  command.name, command.bang, command.argument = name or "", bang == "!", argument or ""
  return command
end

---@param view forge.View
---@param command forge.TypedCommand
---@param whole_by_default? boolean
---@return forge.Range? range nil where its first line has no number yet, which is said
local function range_of(view, command, whole_by_default)
  local first, last = command.first, command.last
  if command.count == 0 then
    first, last = whole_by_default and 1 or view:line(), whole_by_default and "end" or view:line()
  end
  if first == "end" and last == "end" then
    first, last = view:last_line(), view:last_line()
  elseif first == "end" or type(last) == "number" and first > last then
    first, last = last, first
  end
  if not first then
    return messages.warn(no_last_line(view))
  end
  return { first = first, last = last ~= "end" and last or nil }
end

---@param range forge.Range
---@param count string typed after the command: so many lines, from the last one of the range
---@return forge.Range
local function with_count(range, count)
  local first = range.last or range.first
  return count == "" and range or { first = first, last = first + tonumber(count) - 1 }
end

---@param view forge.View
---@param command forge.TypedCommand
local function yank(view, command)
  local range = range_of(view, command)
  local register, count = command.argument:match("^([^%d%s]?)%s*(%d*)$")
  if not register then
    return messages.fail({ code = "INVALID_ARGUMENT", message = ":yank takes a register and a count" })
  end
  range = range and with_count(range, count)
  if range then
    copy.yank(view, range, register ~= "" and register or vim.v.register)
  end
end

---@param view forge.View
---@param command forge.TypedCommand
local function write(view, command)
  local arrows, target = command.argument:match("^(>?>?)%s*(.*)$")
  if target == "" then
    return messages.fail({
      code = "INVALID_ARGUMENT",
      message = "a window cannot be changed",
      hint = ":w {file} writes lines",
    })
  elseif target:find("^!") then
    return messages.fail({
      code = "INVALID_ARGUMENT",
      message = "lines of a window cannot be piped to a command",
      hint = ":w {file} writes them to a file",
    })
  end
  local fault = target:find("^%+%+") and "++ options are not understood by :w in a window"
    or target:gsub("\\.", ""):find("|", 1, true) and "nothing can follow :w {file} in a window"
  if fault then
    return messages.fail({ code = "INVALID_ARGUMENT", message = fault })
  end
  local name = names.path_of(vim.fn.expandcmd(target)) -- `%` is the name of the buffer.
  local path = vim.fs.normalize(vim.fn.fnamemodify(name, ":p"), { expand_env = false })
  local range = range_of(view, command, true)
  if range then
    copy.write(view, range, path, { overwrites = command.bang, appends = arrows == ">>" })
  end
end

---@param command forge.TypedCommand
---@return boolean whether its range means lines, and not windows, buffers or entries of a list
local function takes_lines(command)
  local parsed, found = pcall(vim.api.nvim_parse_cmd, "1" .. command.rest, {})
  return not parsed or found.addr == "line" or found.addr == nil
end

---@param view forge.View
---@param command forge.TypedCommand
---@param count? string
---@return integer[]? rows the first and the last, if all are loaded; otherwise that is said
local function loaded_rows(view, command, count)
  local range = range_of(view, command)
  if not range then
    return
  end
  range = with_count(range, count or "")
  local last = range.last and view:row(range.last) or not range.last and view.at_end and view.count
  local first = range.first == 1 and view.first == 1 and 1 or view:row(range.first)
  if first and last then
    return { first, last }
  end
  messages.fail({
    code = "INVALID_ARGUMENT",
    message = (":%s sees only loaded lines, and some of these are not"):format(command.name),
    hint = ":y and :w take any",
  })
end

---Run a command of Neovim's own, with the rows of the buffer in place of the file's lines.
---@param view forge.View
---@param command forge.TypedCommand
local function run_natively(view, command)
  local rows = loaded_rows(view, command)
  if not rows then
    return
  end
  local with_rows = ("%d,%d%s"):format(rows[1], rows[2], command.rest)
  local ran, failure = pcall(vim.cmd, command.modifiers .. with_rows)
  if not ran then
    local reason = tostring(failure):match("E%d+: .*") or tostring(failure)
    messages.fail({ code = "INVALID_ARGUMENT", message = (reason:gsub(": " .. vim.pesc(with_rows) .. "$", "")) })
  end
end

---`:print` with the file's numbers: Neovim would show the rows of the buffer.
---@param view forge.View
---@param command forge.TypedCommand
local function print_lines(view, command)
  local count = command.argument:match("^%d*$")
  if not count then
    return messages.fail({ code = "INVALID_ARGUMENT", message = (":%s takes a count"):format(command.name) })
  end
  local rows = loaded_rows(view, command, count)
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
end

---@param view forge.View
---@param command forge.TypedCommand
---@return fun(view: forge.View, command: forge.TypedCommand)? act nil where Neovim does it as usual
local function action(view, command)
  local name, has_range = command.name, command.count > 0
  if name == "" then
    return has_range and function()
      places.jump(view, command.last, { column = view:kept_column() })
    end or nil
  elseif is_name(name, "y", "yank") and has_range then
    return yank
  elseif is_name(name, "w", "write") then
    return write
  elseif command.argument ~= "" and is_one_of(name, OTHER_WRITES) then
    return function()
      messages.fail({
        code = "INVALID_ARGUMENT",
        message = (":%s would write only the lines that are loaded"):format(name),
        hint = ":w {file} writes all of them",
      })
    end
  elseif name == "!" and has_range then
    return function()
      messages.fail({
        code = "INVALID_ARGUMENT",
        message = "a window cannot be changed",
        hint = ":w {file} writes lines",
      })
    end
  elseif is_one_of(name, PRINTS) then
    return print_lines
  elseif name == "=" then
    return function()
      local line = command.last ~= "end" and command.last or view:last_line()
      messages.tell(line and numbers.grouped(line --[[@as integer]]) or no_last_line(view))
    end
  elseif is_name(name, "ma", "mark") or name:find("^k%a?$") then
    return function()
      if not has_range then
        places.set(view, name:match("^k(%a)$") or command.argument:sub(1, 1))
      else
        messages.fail({ code = "INVALID_ARGUMENT", message = "go to the line, then m sets a mark" })
      end
    end
  elseif name == "marks" then
    return function()
      vim.api.nvim_echo({ { table.concat(places.list(view), "\n") } }, true, {})
    end
  elseif is_name(name, "delm", "delmarks") then
    return function()
      places.delete(view, command.bang and "a-z" or command.argument)
    end
  elseif is_name(name, "g", "global") or is_name(name, "v", "vglobal") then
    return function()
      messages.fail({
        code = "INVALID_ARGUMENT",
        message = (":%s would see only the lines that are loaded"):format(name),
        hint = ":Forge filter shows the lines that match in all of the file",
      })
    end
  end
  return has_range and takes_lines(command) and run_natively or nil
end

---What was typed in the command line of a window.
---@param view forge.View
---@param typed string
---@return fun()? act what to do instead of it
function M.action(view, typed)
  local command, failure = parse(view, typed)
  if failure then
    return function()
      messages.fail({ code = "INVALID_ARGUMENT", message = failure })
    end
  end
  local act = command and action(view, command)
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
