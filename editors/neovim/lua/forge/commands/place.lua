---A place in a file, shown in a window.
local messages = require("forge.messages")

local M = {}

---@param start forge.Start
---@param argument? string the file; without it, the one of the current buffer
---@param modifiers? string
---@param rotated? true with its rotated files
---@return forge.View? the window on it, if there is one
function M.show(start, argument, modifiers, rotated)
  local window, open = require("forge.window"), require("forge.commands.open")
  local path, place = window.current_file(), {}
  if argument and argument ~= "" then
    path, place = open.parse(argument)
  else
    rotated = rotated or (require("forge.view").of() or {}).rotated
  end
  if not path then
    messages.fail({ code = "INVALID_ARGUMENT", message = "the buffer has no file", hint = ":Forge open {file}" })
    return
  end
  return window.open(path, { start = start, encoding = place.encoding, modifiers = modifiers, rotated = rotated })
end

return M
