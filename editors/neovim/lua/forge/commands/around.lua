---`:Forge around {line}`
local messages = require("forge.messages")

local M = {}

---@param argument string
function M.run(argument)
  local line = tonumber((argument:gsub(",", "")))
  if not line or line < 1 or line % 1 ~= 0 then
    return messages.fail({ code = "INVALID_ARGUMENT", message = "which line?", hint = ":Forge around {line}" })
  end
  require("forge.commands.place").show(line)
  vim.cmd.normal({ "zz", bang = true })
end

return M
