---`:Forge context {lines}`
local filters = require("forge.filters")
local messages = require("forge.messages")

local M = {}

---@param argument string
function M.run(argument)
  local lines = tonumber(argument)
  if not lines or lines < 0 or lines > filters.MAX_CONTEXT or lines % 1 ~= 0 then
    local text = "how many lines, 0 to %d?"
    local hint = ":Forge context {lines}; g+ and g- change them"
    return messages.fail({ code = "INVALID_ARGUMENT", message = text:format(filters.MAX_CONTEXT), hint = hint })
  end
  require("forge.commands.here").with_view(function(view)
    local filter = view.filter or {}
    require("forge.filter").change_context(view, lines - math.max(filter.before or 0, filter.after or 0))
  end)
end

return M
