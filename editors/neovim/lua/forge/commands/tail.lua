---`:Forge tail`
local M = {}

function M.run()
  require("forge.commands.place").show("end")
end

return M
