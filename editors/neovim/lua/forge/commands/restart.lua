---`:Forge restart`
local messages = require("forge.messages")

local M = {}

function M.run()
  require("forge.roots")
  local _, failure = require("forge.daemon").restart()
  if failure then
    messages.fail(failure)
  else
    messages.say("the daemon was started again")
  end
end

return M
