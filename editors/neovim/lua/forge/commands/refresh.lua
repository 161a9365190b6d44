---`:Forge refresh`
local M = {}

function M.run()
  require("forge.commands.here").with_view(function(view)
    view.is_gone = nil -- Asked for, it is told again.
    require("forge.travel").refresh(view)
  end)
end

return M
