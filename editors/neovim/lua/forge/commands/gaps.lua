---`:Forge gaps [duration]`
local messages = require("forge.messages")

local M = {}

---@param argument string
function M.run(argument)
  local gaps = require("forge.gaps")
  local seconds = gaps.parse(argument)
  if argument ~= "" and not seconds then
    return messages.fail({ code = "INVALID_ARGUMENT", message = "how long?", hint = ":Forge gaps 30s, 5m, 1h" })
  end
  require("forge.commands.here").with_view(function(view)
    gaps.toggle(view, seconds)
  end)
end

return M
