---The window a command is about.
local messages = require("forge.messages")

local M = {}

---Do something with the window one is in. In a buffer with a file itself, a window on that is opened first.
---@param act fun(view: forge.View)
function M.with_view(act)
  local view, window = require("forge.view").of(), require("forge.window")
  if view then
    return act(view)
  end
  local path = window.current_file()
  if not path then
    return messages.fail({ code = "INVALID_ARGUMENT", message = "the buffer has no file", hint = ":Forge open {file}" })
  end
  local opened = window.open(path, { start = vim.fn.line(".") })
  if opened then
    opened:when_filled(function()
      act(opened)
    end)
  end
end

return M
