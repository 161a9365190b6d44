---`:Forge tail`
local M = {}

function M.run()
  require("forge.commands.place").show("end")
  local view = require("forge.view").of()
  if view then
    require("forge.follow").start(view)
  end
end

return M
