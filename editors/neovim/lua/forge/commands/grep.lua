---`:Forge grep {pattern}`
local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  local view = require("forge.commands.here").view()
  if not view then
    return
  end
  local filter = require("forge.filter")
  local inverting, pattern = argument:match("^(!?)%s*(.*)$")
  if pattern == "" then
    return require("forge.messages").fail({
      code = "INVALID_ARGUMENT",
      message = "which lines?",
      hint = ":Forge grep {text} or :Forge grep /{regex}/",
    })
  end
  filter.list(view, pattern, filter.parse(pattern, inverting == "!" or command.bang))
end

return M
