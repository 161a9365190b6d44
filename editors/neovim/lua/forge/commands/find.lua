---`:Forge find {pattern}`
local M = {}

---@param argument string
function M.run(argument)
  require("forge.commands.here").with_view(function(view)
    local find = require("forge.find")
    if argument == "" then
      find.again(view, false, 1)
    else
      find.start(view, argument)
    end
  end)
end

return M
