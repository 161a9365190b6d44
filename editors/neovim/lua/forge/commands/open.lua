---`:Forge open [++enc={encoding}] {file}[:{line}[:{column}]]`
local messages = require("forge.messages")
local names = require("forge.names")

local M = {}

---The file that is meant, and where in it. A name is taken as it is where there is such a file; only otherwise
---`~`, `$HOME` and `%` are expanded, and numbers at its end are a line and a column, as ripgrep prints them.
---@param typed string
---@return string path
---@return integer? line
---@return integer? column
local function parse(typed)
  local function existing(path)
    if vim.uv.fs_stat(path) then
      return path
    end
    local expanded = path:find("^[%%#]%d*[:%a]*$") and vim.fn.expand(path) or vim.fs.normalize(path)
    expanded = names.path_of(expanded)
    return vim.uv.fs_stat(expanded) and expanded or nil
  end
  local attempts = {
    { typed },
    { typed:match("^(.+):(%d+):(%d+)$") },
    { typed:match("^(.+):(%d+)$") },
    { typed:match("^(.-):(%d+):(%d+):") }, -- Longer lines that ripgrep printed.
    { typed:match("^(.-):(%d+):") },
  }
  for _, attempt in ipairs(attempts) do
    local found = attempt[1] and existing(attempt[1])
    if found then
      return found, tonumber(attempt[2]), tonumber(attempt[3])
    end
  end
  return attempts[2][1] or attempts[3][1] or typed
end

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  local window = require("forge.window")
  local encoding, rest = argument:match("^%+%+enc%a*=(%S+)%s*(.*)$")
  local typed = (rest or argument):gsub("\\ ", " ")
  local path, line, column
  if typed == "" then
    path = window.current_file()
  else
    path, line, column = parse(typed)
  end
  if not path then
    return messages.fail({ code = "INVALID_ARGUMENT", message = "which file?", hint = ":Forge open {file}[:{line}]" })
  end
  window.open(path, {
    start = line and math.max(1, line),
    column = column and math.max(1, column),
    modifiers = command.modifiers,
    encoding = encoding,
  })
end

---@param typed string
---@return string[]
function M.complete(typed)
  local option, rest = typed:match("^(%+%+%S+%s+)(.*)$")
  return vim.fn.getcompletion(option and rest or typed, "file")
end

return M
