---`:Forge filter {pattern}`, `:Forge! filter {pattern}`, `:Forge filter`
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
  if pattern ~= "" then
    filter.open(view, filter.parse(pattern, inverting == "!" or command.bang))
  elseif view.filter then
    filter.leave(view)
  else
    require("forge.messages").fail({
      code = "INVALID_ARGUMENT",
      message = "which lines?",
      hint = ":Forge filter {text}, :Forge filter /{regex}/; with ! those that do not match",
    })
  end
end

return M
