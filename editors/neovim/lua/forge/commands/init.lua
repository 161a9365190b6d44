---`:Forge`, one small file a command.
local messages = require("forge.messages")

local M = {}

---@class forge.CommandLine
---@field modifiers string Like "vertical": open it in a split.
---@field bang boolean
---@field suffix string What stands directly after its name, as in `filter+!`.

---@class forge.Command
---@field run fun(argument: string, command: forge.CommandLine)
---@field complete? fun(typed: string): string[]

local NAMES = {
  "open",
  "head",
  "tail",
  "follow",
  "around",
  "refresh",
  "time",
  "find",
  "filter",
  "level",
  "since",
  "until",
  "minute",
  "context",
  "records",
  "fold",
  "gaps",
  "save",
  "share",
  "grep",
  "search",
  "rotated",
  "describe",
  "log",
  "stats",
  "restart",
}

---@param name string
---@return forge.Command?
local function command(name)
  return vim.list_contains(NAMES, name) and require("forge.commands." .. name) or nil
end

---@param typed string all that comes after `:Forge`
---@param line forge.CommandLine
function M.run(typed, line)
  local name, suffix, argument = typed:match("^%s*(%a*)([+!|]*)%s*(.-)%s*$")
  local found = command(name)
  if found then
    line.suffix, line.bang = suffix, line.bang or suffix:find("!") ~= nil
    found.run(argument, line)
  else
    local what = name == "" and "what shall I do?" or ("there is no :Forge %s"):format(name)
    messages.fail({ code = "INVALID_ARGUMENT", message = what, hint = ":help forge-commands" })
  end
end

---@param line string the command line up to the cursor
---@return string[]
function M.complete(line)
  local name, argument = line:match("^.-Forge!?%s+(%a+)[+!|]*%s+(.*)$")
  local found = name and command(name)
  if found then
    return found.complete and found.complete(argument) or {}
  end
  local typed = line:match("^.-Forge!?%s+(%S*)$") or ""
  return vim.tbl_filter(function(each)
    return not name and vim.startswith(each, typed)
  end, NAMES)
end

return M
