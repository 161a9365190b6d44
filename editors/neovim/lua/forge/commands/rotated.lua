---`:Forge rotated [++enc={encoding}] [file]`
local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  require("forge.commands.place").show("end", argument, command.modifiers, true)
end

M.complete = require("forge.commands.open").complete

return M
