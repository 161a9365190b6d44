---`:Forge open {file}[:{line}]`
local messages = require("forge.messages")

local M = {}

---@param argument string
function M.run(argument)
  local window = require("forge.window")
  local path, line = vim.fs.normalize((argument:gsub("\\ ", " "))), nil
  if path == "" then
    path = window.current_file() or ""
  elseif not vim.uv.fs_stat(path) then
    -- A file may be called like that: only where there is none, the number is a line.
    local file, number = path:match("^(.+):(%d+)$")
    path, line = file or path, tonumber(number)
  end
  if path == "" then
    return messages.fail({ code = "INVALID_ARGUMENT", message = "which file?", hint = ":Forge open {file}[:{line}]" })
  end
  window.open(path, line and math.max(1, line))
end

---@param typed string
---@return string[]
function M.complete(typed)
  return vim.fn.getcompletion(typed, "file")
end

return M
