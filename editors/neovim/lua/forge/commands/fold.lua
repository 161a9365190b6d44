---`:Forge fold`
local M = {}

function M.run()
  require("forge.commands.here").with_view(function(view)
    require("forge.filter").toggle_headers(view)
  end)
end

return M
