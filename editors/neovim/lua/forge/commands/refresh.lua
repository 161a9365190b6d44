---`:Forge refresh`
local M = {}

function M.run()
  local view = require("forge.commands.here").view()
  if view then
    view.is_gone = nil -- Asked for, it is told again.
    require("forge.travel").refresh(view)
  end
end

return M
