---Motions by the records of a log, which the daemon tells apart.
local asking = require("forge.asking")
local changes = require("forge.changes")
local filters = require("forge.filters")
local messages = require("forge.messages")
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
  local here, task = view:line(), tasks.begin(view, "searching")
  local headers = filters.headers_of(view.filter)
  local function ask(selector, limits, take)
    selector.filter = vim.tbl_extend("force", headers, limits)
    selector.max_lines, selector.ansi = 1, view.is_coloured and "strip" or nil
    task:ask("forge/readFile", asking.window(view, selector), function(page)
      take((page.line_numbers or {})[1])
    end)
  end
  local function arrive(line)
    task:finish()
    if line then -- Numbers at the end of a large file may not be known.
      travel.go(view, line > 0 and line or "end", { column = 0 })
    end
  end
  if step < 0 and here == 1 then
    arrive(nil)
  elseif step < 0 then
    ask({ tail = count }, { last_line = here - 1 }, arrive)
  else
    ask({ start_line = count }, { first_line = here + 1 }, function(line)
      if line then
        return arrive(line)
      end
      ask({ tail = 1 }, { first_line = here + 1 }, arrive)
    end)
  end
  task:wait()
end

return M
