---`:Forge head`
local M = {}

function M.run()
  require("forge.commands.place").show(1)
end

return M
