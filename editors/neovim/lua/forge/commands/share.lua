---`:Forge share {name}`, `:Forge share! {name}`
local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  require("forge.commands.save").run(argument, command, true)
end

return M
