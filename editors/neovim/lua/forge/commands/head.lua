---`:Forge head [file]`
local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  require("forge.commands.place").show(1, argument, command.modifiers)
end

M.complete = require("forge.commands.open").complete

return M
