---Counting the lines of a file that is too large for the daemon to count them before it answers.
local asking = require("forge.asking")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local pages = require("forge.pages")

local M = {}

---How long a view must have been left alone before its lines are counted.
local UNDISTURBED_MS = 300

---The lines at the end are numbered from the end. Show them with their own numbers.
---@param view forge.View
local function renumber(view)
  if view.total_of == view.etag then
    view.first = view.total + view.first + 1
    return
  end
  -- The file grew while it was counted: find the lines again by their text.
  local window = view:window()
  local row = window and vim.api.nvim_win_get_cursor(window)[1] or view.count
  local lines = vim.api.nvim_buf_get_lines(view.buf, row - 1, row + 3, false)
  local from_end, was_last = view.count - row, row == view.count
  local start = math.max(1, view.total - asking.PAGE + 1)
  asking.fetch(view, { start_line = start, max_lines = 10 * asking.PAGE }, function(page)
    if view.first > 0 then
      return
    end
    view.growing = {}
    pages.replace(view, page)
    local target = view.count
    if not was_last then
      local all = vim.api.nvim_buf_get_lines(view.buf, 0, -1, false)
      target = math.max(1, view.count - from_end)
      for candidate = target, 1, -1 do
        if vim.deep_equal(vim.list_slice(all, candidate, candidate + #lines - 1), lines) then
          target = candidate
          break
        end
      end
    end
    view:put_cursor(target)
    numbers.publish(view)
  end)
end

---@param view forge.View
---@param counted forge.CountLinesResult
local function take(view, counted)
  view.total, view.total_of = counted.line_count, counted.etag
  if view.first < 0 then
    renumber(view)
    require("forge.loading").grow(view)
    vim.cmd("redraw!")
  end
  numbers.publish(view)
  vim.cmd("redrawstatus!")
end

---Count them once the view is left alone.
---@param view forge.View
function M.soon(view)
  if view.total_of == view.etag then
    return
  end
  local stopped = false
  view.stop_counting()
  view.stop_counting = function()
    stopped = true
  end
  vim.defer_fn(function()
    if not stopped and view:is_open() then
      view.stop_counting = asking.ask(view, "forge/countLines", {}, function(counted)
        take(view, counted)
      end, function() end)
    end
  end, UNDISTURBED_MS)
end

---Count them while a person waits.
---@param view forge.View
---@param counted fun(total: integer, etag: string)
---@param failed? fun(error: forge.Error)
function M.now(view, counted, failed)
  asking.wait_in(view, "counting", function(done, on_progress)
    return asking.ask(view, "forge/countLines", {}, function(result)
      done()
      view.total, view.total_of = result.line_count, result.etag
      counted(result.line_count, result.etag)
    end, function(error)
      done()
      return (failed or messages.fail)(error)
    end, on_progress)
  end)
end

return M
