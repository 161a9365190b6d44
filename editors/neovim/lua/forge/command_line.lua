---What is typed in the command line of a window, taken apart: its range means lines of the file.
local messages = require("forge.messages")
local patterns = require("forge.patterns")
local places = require("forge.places")
local search = require("forge.search")
local vim_pattern = require("forge.vim_pattern")

local M = {}

---A line of the file. Its end has no number before the lines are counted.
---@alias forge.Line integer|"end"

---One address of a range, as it was typed.
---@class forge.Address
---@field line? forge.Line
---@field is_here? boolean It means the line the cursor is in.
---@field mark? string
---@field patterns {text: string, direction: forge.Direction}[] Each is searched for from the one before.
---@field offset integer
---@field moves_here? boolean The addresses after it are counted from it.

---@class forge.TypedCommand
---@field addresses forge.Address[]
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

---@param typed string
---@param short string
---@param long string
---@return boolean
function M.is_name(typed, short, long)
  return #typed >= #short and vim.startswith(long, typed)
end

---@param typed string
---@param commands string[][] shortest form first
---@return string[]? found
function M.one_of(typed, commands)
  return vim.iter(commands):find(function(name)
    return M.is_name(typed, name[1], name[2])
  end)
end

---@param text string
---@param address forge.Address changed
---@return string rest
local function take_patterns(text, address)
  while true do
    local sign = text:match("^\\?([/?])")
    if not sign then
      return text
    end
    local pattern, rest = "", text:sub(3)
    if not text:find("^\\") then
      pattern, rest = vim_pattern.split(text:sub(2), sign)
    end
    table.insert(address.patterns, { text = pattern, direction = sign == "/" and "forward" or "backward" })
    text = rest or ""
  end
end

---@param text string
---@return forge.Address? address nil where there is none
---@return string rest
local function take_address(text)
  text = text:gsub("^%s+", "")
  local address = { patterns = {}, offset = 0 } ---@type forge.Address
  local rest ---@type string
  if text:find("^%d") then
    local digits, after = text:match("^(%d+)()")
    address.line, rest = tonumber(digits), text:sub(after)
  elseif text:find("^%.") then
    address.is_here, rest = true, text:sub(2)
  elseif text:find("^%$") then
    address.line, rest = "end", text:sub(2)
  elseif text:find("^'.") then
    address.mark, rest = text:sub(2, 2), text:sub(3)
  else
    rest = take_patterns(text, address)
  end
  while rest:find("^%s*[+-]") do
    local sign, number, after = rest:match("^%s*([+-])(%d*)()")
    local amount = tonumber(number) or 1
    address.offset = address.offset + (sign == "+" and amount or -amount)
    rest = rest:sub(after)
  end
  if rest == text then
    return nil, rest
  end
  address.is_here = address.is_here or not (address.line or address.mark or address.patterns[1])
  return address, rest
end

---@param view forge.View
---@param text string
---@return forge.Address[]
---@return string rest
local function take_range(view, text)
  if text:find("^%%") then
    return { { line = 1, patterns = {}, offset = 0 }, { line = "end", patterns = {}, offset = 0 } }, text:sub(2)
  elseif text:find("^%*") and view.selected then
    text = "'<,'>" .. text:sub(2)
  end
  local addresses = {}
  while true do
    local address, rest = take_address(text)
    local separator, after = rest:match("^%s*([,;])(.*)$")
    if not address and not separator and #addresses == 0 then
      return addresses, text
    end
    address = address or { is_here = true, patterns = {}, offset = 0 }
    address.moves_here = separator == ";"
    table.insert(addresses, address)
    if not separator then
      return addresses, rest
    end
    text = after
  end
end

---@param view forge.View
---@param typed string
---@return forge.TypedCommand
function M.parse(view, typed)
  local text = typed:gsub("^[%s:]+", "")
  local modifiers = ""
  while true do
    local modifier, after = text:match("^(%a+!?)%s+(.*)$")
    if not modifier or not M.one_of((modifier:gsub("!", "")), MODIFIERS) then
      break
    end
    modifiers, text = modifiers .. modifier .. " ", after
  end
  local addresses, rest = take_range(view, text)
  rest = rest:gsub("^%s+", "")
  local name, bang, argument = rest:match("^(%a+)(!?)%s*(.*)$")
  if not name then
    name, argument = rest:match("^([^%w%s]?)%s*(.*)$")
  end
  return {
    addresses = addresses,
    modifiers = modifiers,
    rest = rest,
    name = name or "",
    bang = bang == "!",
    argument = argument or "",
  }
end

---@param view forge.View
---@return string why the number of its last line is not known
function M.no_last_line(view)
  return view.filter and "which match is the last one is not known yet; G goes there" or messages.STILL_COUNTING
end

---@param view forge.View
---@param wanted {text: string, direction: forge.Direction}
---@param line integer where the search starts: this line does not count
---@param take fun(line: integer)
local function find(view, wanted, line, take)
  local text = wanted.text == "" and vim.fn.getreg("/") or wanted.text
  local pattern = patterns.from_vim(text, wanted.direction)
  if not pattern then
    return
  end
  vim.fn.setreg("/", text)
  local from = { line = wanted.direction == "forward" and line + 1 or line, column = 1 }
  search.run(view, pattern, wanted.direction, from, 1, {
    arrived = function(match)
      take(match.line)
    end,
    lost = function()
      messages.fail({ code = "INVALID_ARGUMENT", message = text .. " was not found" })
    end,
  })
end

---@param view forge.View
---@param address forge.Address
---@param here? integer the line that `.` means; nil where it has no number yet
---@param take fun(line: forge.Line) Not called where there is no such line, which is said.
local function resolve_address(view, address, here, take)
  local line = address.line or here ---@type forge.Line?
  if address.mark then
    local place, path = places.get(view, address.mark)
    if not place or path then
      return messages.fail({ code = "INVALID_ARGUMENT", message = ("mark %s is not set"):format(address.mark) })
    end
    line = place.line > 0 and place.line or nil
  elseif line == "end" and address.offset ~= 0 then
    line = view:last_line()
    if not line then
      return messages.warn(M.no_last_line(view))
    end
  end
  if not line then
    return messages.warn(messages.STILL_COUNTING)
  end
  local function search_next(index, from)
    local wanted = address.patterns[index]
    if wanted then
      return find(view, wanted, from, function(found)
        search_next(index + 1, found)
      end)
    end
    take(from == "end" and from or math.max(1, from + address.offset))
  end
  search_next(1, line)
end

---The lines that the range of a command means.
---@param view forge.View
---@param command forge.TypedCommand
---@param take fun(first?: forge.Line, last?: forge.Line) Not called where one cannot be told, which is said.
function M.resolve(view, command, take)
  local here = view:line() > 0 and view:line() or nil ---@type integer?
  local first, last ---@type forge.Line?, forge.Line?
  local function next_address(index)
    local address = command.addresses[index]
    if not address then
      return take(first, last)
    end
    resolve_address(view, address, here, function(line)
      first, last = last or line, line
      if address.moves_here and type(line) == "number" then
        here = line
      end
      next_address(index + 1)
    end)
  end
  next_address(1)
end

return M
