---`:Forge time {time}`
local M = {}

---@param argument string
function M.run(argument)
  if argument == "" then
    return require("forge.messages").fail({
      code = "INVALID_ARGUMENT",
      message = "which time?",
      hint = ":Forge time 14:05, :Forge time 2026-11-16T14:05, :Forge time -5m",
    })
  end
  require("forge.commands.here").with_view(function(view)
    require("forge.log_times").go_to(view, argument)
  end)
end

return M
