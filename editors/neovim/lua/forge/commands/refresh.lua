---`:Forge refresh`
local M = {}

function M.run()
  local view = require("forge.commands.here").view()
  if view then
    require("forge.travel").refresh(view)
  end
end

return M
