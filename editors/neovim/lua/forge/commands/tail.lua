---`:Forge tail [file]`
local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  local view = require("forge.commands.place").show("end", argument, command.modifiers)
  if view then
    require("forge.follow").start(view)
  end
end

M.complete = require("forge.commands.open").complete

return M
