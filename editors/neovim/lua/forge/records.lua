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
  local line = view:line()
  if step < 0 and line == 1 then
    return
  end
  local task = tasks.begin(view, "searching")
  local limits = step > 0 and { first_line = line + 1 } or { last_line = line - 1 }
  local params = asking.about_text(view, {
    filter = vim.tbl_extend("force", filters.headers_of(view.filter), limits),
    columns = { start = 1, count = 1 },
    max_lines = 1,
  })
  local function ask(selector, missed)
    task:ask("forge/readFile", vim.tbl_extend("force", params, selector), function(page)
      local found = (page.line_numbers or {})[1]
      if not found and missed then
        return missed()
      end
      task:finish()
      if found then
        travel.go(view, found, { column = 0 })
      end
    end)
  end
  if step < 0 then
    ask({ tail = count })
  else
    ask({ start_line = count }, function()
      ask({ tail = 1 })
    end)
  end
  task:wait()
end

return M
