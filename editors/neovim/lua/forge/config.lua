---What can be configured, by `vim.g.forge` or `require("forge").setup()`. Nothing has to be.
local M = {}

---@class forge.Config
---@field cmd string[] How the daemon is started.
---@field root_markers string[] What the root of a project holds.
---@field large_file integer|false A file of more bytes is offered as a window when it is edited; false: never.
---@field settings forge.SettingsFile The daemon's own settings, as in `forge.toml`.

---The same, each of them optional.
---@class forge.Options
---@field cmd? string[]
---@field root_markers? string[]
---@field large_file? integer|false
---@field settings? forge.SettingsFile

---@type forge.Config
local DEFAULTS = {
  cmd = { "forge-read", "serve" },
  root_markers = { ".git", ".hg", "forge.toml" },
  large_file = 50 * 1000 * 1000,
  settings = {},
}

---@param value any
---@return boolean
local function is_list_of_strings(value)
  return vim.islist(value)
    and #value > 0
    and vim.iter(value):all(function(item)
      return type(item) == "string"
    end)
end

---What is expected of each option, in words and as a test.
---@type table<string, {[1]: string, [2]: fun(value: any): boolean}>
local EXPECTED = {
  cmd = { 'a list of strings, like { "forge-read", "serve" }', is_list_of_strings },
  root_markers = { "a list of strings", is_list_of_strings },
  large_file = {
    "a number of bytes, or false",
    function(value)
      return type(value) == "number" or value == false
    end,
  },
  settings = {
    "a table",
    function(value)
      return type(value) == "table"
    end,
  },
}

---@type forge.Options
local given = {}

---@param options? forge.Options
function M.setup(options)
  given = options or {}
end

---@return table<string, any> what the user set, right or wrong
local function set_by_user()
  local variable = vim.g.forge
  return vim.tbl_extend("force", type(variable) == "table" and variable or {}, type(given) == "table" and given or {})
end

---Options that are wrong have their defaults; `M.faults` tells which.
---@return forge.Config
function M.get()
  local good = {}
  for name, value in pairs(set_by_user()) do
    if EXPECTED[name] and EXPECTED[name][2](value) then
      good[name] = value
    end
  end
  return vim.tbl_extend("force", DEFAULTS, good)
end

---Neovim's names of encodings as the web's Encoding Standard has them.
local LABELS = {
  latin1 = "windows-1252",
  cp932 = "shift_jis",
  sjis = "shift_jis",
  cp936 = "gbk",
  cp949 = "euc-kr",
  cp950 = "big5",
}

---@return string[] what 'fileencodings' names besides UTF-8
local function file_encodings()
  local labels = {}
  for name in vim.gsplit(vim.o.fileencodings, ",", { trimempty = true }) do
    name = name:lower()
    local label = LABELS[name] or name:gsub("^cp(125%d)$", "windows-%1")
    if LABELS[name] or label:find("^windows%-125%d$") or label:find("^iso%-") or label:find("^euc%-") then
      table.insert(labels, label)
    elseif vim.list_contains({ "gb18030", "gbk", "big5", "koi8-r", "koi8-u" }, label) then
      table.insert(labels, label)
    end
  end
  return labels
end

---The daemon's settings: the user's, and what Neovim's own options say.
---@return forge.SettingsFile
function M.daemon_settings()
  local encodings = file_encodings()
  local own = #encodings > 0 and { files = { encodings = encodings } } or {}
  return vim.tbl_extend("force", own, M.get().settings)
end

---Options that have no good value, one sentence each.
---@return string[]
function M.faults()
  local faults = {}
  if vim.g.forge ~= nil and type(vim.g.forge) ~= "table" then
    table.insert(faults, "vim.g.forge should be a table")
  end
  if type(given) ~= "table" then
    table.insert(faults, 'require("forge").setup() takes a table')
  end
  for name, value in vim.spairs(set_by_user()) do
    if EXPECTED[name] and not EXPECTED[name][2](value) then
      table.insert(faults, ("%s should be %s"):format(name, EXPECTED[name][1]))
    end
  end
  return faults
end

---What is wrong with the configuration, one sentence each.
---@return string[]
function M.problems()
  local problems = M.faults()
  for name in vim.spairs(set_by_user()) do
    if not EXPECTED[name] then
      table.insert(problems, ("there is no option %q"):format(name))
    end
  end
  return problems
end

return M
