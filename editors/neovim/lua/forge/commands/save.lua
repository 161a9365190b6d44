---`:Forge save {name}`, `:Forge save! {name}`
local messages = require("forge.messages")

local M = {}

---@param argument string
---@param command forge.CommandLine
---@param is_shared? boolean with those who work on the project
function M.run(argument, command, is_shared)
  local name = argument:match("^@?(%w[%w_-]*)$")
  if not name then
    local hint = ":Forge save {name}; with ! it is forgotten"
    return messages.fail({ code = "INVALID_ARGUMENT", message = "a name of letters and digits?", hint = hint })
  end
  local saved_filters, path = require("forge.saved_filters"), require("forge.window").current_file()
  if command.bang and saved_filters.named(path, name) then
    if is_shared then
      saved_filters.share(assert(path), name)
    else
      saved_filters.save(name)
    end
  elseif not command.bang then
    require("forge.commands.here").with_view(function(view)
      require("forge.filter").save(view, name, is_shared)
    end)
  end
end

return M
