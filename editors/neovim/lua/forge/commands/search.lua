---`:Forge search {pattern}`
local messages = require("forge.messages")

local M = {}

---@param argument string
---@param command forge.CommandLine
function M.run(argument, command)
  if argument == "" then
    local hint = ":Forge search {text} or :Forge search /{regex}/"
    return messages.fail({ code = "INVALID_ARGUMENT", message = "which lines?", hint = hint })
  elseif command.bang or vim.startswith(argument, "!") then
    return messages.fail({
      code = "INVALID_ARGUMENT",
      message = "lines that do not match are listed for one file only",
      hint = ":Forge grep! {pattern}",
    })
  end
  require("forge.folder_search").list(argument)
end

return M
