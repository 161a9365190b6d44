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

---@type forge.Options
local given = {}

---@param options? forge.Options
function M.setup(options)
  given = options or {}
end

---@return forge.Config
function M.get()
  return vim.tbl_deep_extend("force", DEFAULTS, vim.g.forge or {}, given)
end

---What is wrong with the configuration, one sentence each.
---@return string[]
function M.problems()
  local problems = {}
  for name, value in vim.spairs(vim.tbl_deep_extend("force", vim.g.forge or {}, given)) do
    local expected = type(DEFAULTS[name])
    if expected == "nil" then
      table.insert(problems, ("there is no option %q"):format(name))
    elseif type(value) ~= expected and not (name == "large_file" and value == false) then
      table.insert(problems, ("%s should be a %s"):format(name, expected))
    end
  end
  return problems
end

return M
