---`:Forge level [level]`, `:Forge level!`
local filters = require("forge.filters")
local messages = require("forge.messages")

local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  local level = argument:lower()
  if level ~= "" and not vim.list_contains(filters.LEVELS, level) then
    local message, hint = "there is no level " .. argument, table.concat(filters.LEVELS, ", ")
    return messages.fail({ code = "INVALID_ARGUMENT", message = message, hint = hint })
  end
  require("forge.commands.here").with_view(function(view)
    local filter = require("forge.filter")
    if command.bang then
      filter.change(view, { level = false })
    elseif level == "" then
      filter.choose_level(view)
    else
      filter.change(view, { level = level })
    end
  end)
end

---@param typed string
---@return string[]
function M.complete(typed)
  return vim.tbl_filter(function(level)
    return vim.startswith(level, typed)
  end, filters.LEVELS)
end

return M
