---The window a command is about.
local messages = require("forge.messages")

local M = {}

---@return forge.View?
function M.view()
  local view = require("forge.view").of()
  if not view then
    messages.fail({ code = "INVALID_ARGUMENT", message = "not a window on a file", hint = ":Forge open {file}" })
  end
  return view
end

return M
