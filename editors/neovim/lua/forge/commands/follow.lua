---`:Forge follow [file]`
local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  if argument ~= "" then
    return require("forge.commands.tail").run(argument, command)
  end
  require("forge.commands.here").with_view(require("forge.follow").toggle)
end

M.complete = require("forge.commands.open").complete

return M
