---`:Forge time {time}`
local M = {}

---@param argument string
function M.run(argument)
  local view = require("forge.commands.here").view()
  if view then
    require("forge.bisect").go_to_time(view, argument)
  end
end

return M
