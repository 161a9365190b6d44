---`:Forge since [time]`, `:Forge since!`
local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  require("forge.commands.here").with_view(function(view)
    local filter = require("forge.filter")
    if command.bang then
      filter.change(view, { ["since"] = false })
    elseif argument == "" then
      filter.from_here(view)
    else
      filter.change(view, { ["since"] = argument })
    end
  end)
end

return M
