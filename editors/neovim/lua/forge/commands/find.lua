---`:Forge find {pattern}`
local M = {}

---@param argument string
function M.run(argument)
  local view = require("forge.commands.here").view()
  if not view then
    return
  end
  local find = require("forge.find")
  if argument == "" then
    find.again(view, false, 1)
  else
    find.start(view, argument)
  end
end

return M
