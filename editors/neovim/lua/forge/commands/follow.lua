---`:Forge follow`
local M = {}

function M.run()
  local view = require("forge.commands.here").view()
  if view then
    require("forge.follow").toggle(view)
  end
end

return M
