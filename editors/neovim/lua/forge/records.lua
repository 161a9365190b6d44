---Motions by the records of a log, which the daemon tells apart.
local changes = require("forge.changes")
local filters = require("forge.filters")
local messages = require("forge.messages")
local search = require("forge.search")
local tasks = require("forge.tasks")
local travel = require("forge.travel")

local M = {}

---`}` and `{`: to the first line of another record. Without so many, as far as it goes.
---@param view forge.View
---@param step 1|-1
---@param count integer
function M.go(view, step, count)
  if not view.etag then
    return messages.say_still_reading(view.path)
  elseif changes.refuse_old(view) then
    return
  elseif not view:is_numbered() then
    return messages.warn(messages.STILL_COUNTING)
  end
  local task = tasks.begin(view, "searching")
  local params = search.parameters(view, { text = "^", regex = true, filter = filters.headers_of(view.filter) })
  params.direction = step > 0 and "forward" or "backward"
  local function go_on(from, arrived)
    params.start_line = step > 0 and from + 1 or from
    task:ask("forge/find", params, function(found)
      local line = found.match and found.match.line
      count = count - 1
      if line and count > 0 then
        return go_on(line, line)
      end
      task:finish()
      if line or arrived then
        travel.go(view, line or arrived, { column = 0 })
      end
    end)
  end
  go_on(view:line())
  task:wait()
end

return M
