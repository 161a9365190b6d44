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
local function file_and_place(typed)
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

---@class forge.TypedPlace
---@field line? integer
---@field column? integer
---@field encoding? string

---@param argument string
---@return string? path nil where no file was named
---@return forge.TypedPlace
function M.parse(argument)
  local encoding, rest = argument:match("^%+%+enc%a*=(%S+)%s*(.*)$")
  local typed = (rest or argument):gsub("\\ ", " ")
  if typed == "" then
    return nil, { encoding = encoding }
  end
  local path, line, column = file_and_place(typed)
  return path, { line = line, column = column, encoding = encoding }
end

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  local window = require("forge.window")
  local path, place = M.parse(argument)
  path = path or window.current_file()
  if not path then
    return messages.fail({ code = "INVALID_ARGUMENT", message = "which file?", hint = ":Forge open {file}[:{line}]" })
  end
  window.open(path, {
    start = place.line and math.max(1, place.line),
    column = place.column and math.max(1, place.column),
    modifiers = command.modifiers,
    encoding = place.encoding,
  })
end

---Labels of the web's Encoding Standard that people meet, and Neovim's names that are labels, too.
local ENCODINGS = {
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "iso-8859-2",
  "iso-8859-5",
  "iso-8859-7",
  "iso-8859-15",
  "koi8-r",
  "koi8-u",
  "macintosh",
  "ibm866",
  "shift_jis",
  "euc-jp",
  "iso-2022-jp",
  "gbk",
  "gb18030",
  "big5",
  "euc-kr",
  "latin1",
  "cp932",
  "cp1250",
  "cp1251",
  "cp1252",
}

---@param typed string
---@return string[]
function M.complete(typed)
  local option, rest = typed:match("^(%+%+%S+%s+)(.*)$")
  if option or not typed:find("^%+") then
    return vim.fn.getcompletion(option and rest or typed, "file")
  end
  local options = vim.tbl_map(function(label)
    return "++enc=" .. label
  end, ENCODINGS)
  return vim.tbl_filter(function(each)
    return vim.startswith(each, typed)
  end, options)
end

return M
