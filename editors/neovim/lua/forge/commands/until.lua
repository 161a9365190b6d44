---`:Forge until [time]`, `:Forge until!`
local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  require("forge.commands.here").with_view(function(view)
    local filter = require("forge.filter")
    if command.bang then
      filter.change(view, { ["until"] = false })
    elseif argument == "" then
      filter.until_here(view)
    else
      filter.change(view, { ["until"] = argument })
    end
  end)
end

return M
