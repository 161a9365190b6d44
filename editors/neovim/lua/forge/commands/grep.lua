---`:Forge grep {pattern}`
local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  local inverting, pattern = argument:match("^(!?)%s*(.*)$")
  if pattern == "" then
    return require("forge.messages").fail({
      code = "INVALID_ARGUMENT",
      message = "which lines?",
      hint = ":Forge grep {text} or :Forge grep /{regex}/",
    })
  end
  require("forge.commands.here").with_view(function(view)
    if view.rotated then -- The quickfix list knows lines of files.
      return require("forge.messages").fail({
        code = "INVALID_ARGUMENT",
        message = "lines of rotated files cannot be put into the quickfix list",
        hint = ":Forge filter shows them",
      })
    end
    local filter = require("forge.filters").parse(pattern, inverting == "!" or command.bang)
    require("forge.grep").list(view, pattern, filter)
  end)
end

return M
