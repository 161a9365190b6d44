---`:Forge filter {pattern}`, with `!`, `+`, `+!` or `|` after its name; `:Forge filter @{name}`, `:Forge filter`
local filters = require("forge.filters")
local messages = require("forge.messages")
local saved_filters = require("forge.saved_filters")

local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  local inverting, pattern = argument:match("^(!?)%s*(.*)$")
  local adds, alternates = command.suffix:find("+", 1, true), command.suffix:find("|", 1, true)
  require("forge.commands.here").with_view(function(view)
    local filter = require("forge.filter")
    if pattern == "" and view.filter and not (adds or alternates) then
      return filter.leave(view)
    elseif pattern == "" then
      local hint = ":Forge filter {text} or :Forge filter /{regex}/"
      return messages.fail({ code = "INVALID_ARGUMENT", message = "which lines?", hint = hint })
    end
    local name = pattern:match("^@(%w[%w_-]*)$")
    local wanted = not name and filters.parse(pattern, inverting == "!" or command.bang)
      or name and saved_filters.named(view.path, name)
    if not wanted then
      return
    elseif adds then
      wanted = filters.both(view.filter, wanted)
    elseif alternates then
      wanted = filters.either(view.filter, wanted)
    end
    if not wanted then
      return messages.fail({
        code = "INVALID_ARGUMENT",
        message = "one filter cannot say that",
        hint = "a regular expression can: /one|other/",
      })
    end
    filter.open(view, wanted)
  end)
end

---@param typed string
---@return string[]
function M.complete(typed)
  local named = vim.tbl_map(function(name)
    return "@" .. name
  end, vim.fn.sort(vim.tbl_keys(saved_filters.all(require("forge.window").current_file()))))
  return vim.tbl_filter(function(name)
    return vim.startswith(name, typed)
  end, named)
end

return M
