---A limit in time: `:Forge since [time]` and `:Forge until [time]`, with `!` without it.
local M = {}

---@param limit "since"|"until"
---@param at_cursor "from_here"|"until_here"
---@return forge.Command
function M.command(limit, at_cursor)
  local command = {}

  ---@param argument string
  ---@param line forge.CommandLine
  function command.run(argument, line)
    require("forge.commands.here").with_view(function(view)
      local filter = require("forge.filter")
      if argument == "" and not line.bang then
        return filter[at_cursor](view)
      end
      filter.change(view, { [limit] = not line.bang and argument })
    end)
  end

  return command
end

return M
