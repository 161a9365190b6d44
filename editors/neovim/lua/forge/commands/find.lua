---`:Forge find {pattern}`
local M = {}

---@param argument string
function M.run(argument)
  local view = require("forge.commands.here").view()
  if not view then
    return
  end
  local find = require("forge.find")
  if argument ~= "" then
    find.start(view, argument)
  elseif not find.again(view, "forward") then
    require("forge.messages").fail({
      code = "INVALID_ARGUMENT",
      message = "what shall be found?",
      hint = ":Forge find {text} or :Forge find /{regex}/",
    })
  end
end

return M
