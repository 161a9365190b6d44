---A place in the file of the current buffer, shown in a window.
local messages = require("forge.messages")

local M = {}

---@param start forge.Start
function M.show(start)
  local window = require("forge.window")
  local path = window.current_file()
  if not path then
    return messages.fail({ code = "INVALID_ARGUMENT", message = "the buffer has no file", hint = ":Forge open {file}" })
  end
  window.open(path, { start = start })
end

return M
