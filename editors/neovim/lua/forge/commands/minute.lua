---`:Forge minute`
local M = {}

function M.run()
  require("forge.commands.here").with_view(function(view)
    require("forge.filter").this_minute(view)
  end)
end

return M
