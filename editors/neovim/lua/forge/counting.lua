---Counting the lines of a file that is too large for the daemon to count them before it answers.
local asking = require("forge.asking")
local filters = require("forge.filters")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local pages = require("forge.pages")
local search = require("forge.search")
local tasks = require("forge.tasks")

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
  if not view:is_numbered() then
    renumber(view)
    require("forge.loading").grow(view)
    require("forge.visible_records").update(view)
    vim.cmd("redraw!")
  end
  numbers.publish(view)
  vim.cmd("redrawstatus!")
end

---@param view forge.View
---@param filter? forge.FilterParams
---@param counted fun(result: forge.CountLinesResult)
---@param failed? fun(error: forge.Error)
local function count(view, filter, counted, failed)
  local ansi = filter and view.is_coloured and "strip" or nil
  local params = { filter = filter, ansi = ansi }
  view.stop_counting = asking.ask(view, "forge/countLines", params, counted, failed or function() end)
end

---A compressed text that is damaged, or that ends early, has the lines up to there.
---@param view forge.View
---@param error forge.Error Why not all of it can be counted.
---@param counted fun(result: forge.CountLinesResult)
---@param failed fun(error: forge.Error)
local function count_up_to_damage(view, error, counted, failed)
  if error.code ~= "INTERNAL" or not view.compression then
    return failed(error)
  end
  view.stop_counting = asking.fetch(view, { tail = 1, filter = view.filter }, function(page)
    local last_line = page.meta.start_line + page.meta.returned_line_count - 1
    if last_line > 0 then
      messages.warn(error.message)
      counted({ line_count = last_line, etag = page.etag })
    end
  end, failed)
end

---Which of all the lines that match a search the one is that it found.
---@param view forge.View
---@param found forge.Found
local function count_match(view, found)
  local function count_from(line, counted)
    local params = vim.tbl_extend("force", found.params, { count = true, start_line = line })
    view.stop_counting = asking.ask_plainly(view, "forge/find", params, counted, function() end)
  end
  local function tell(total)
    count_from(found.line, function(rest)
      view.found = nil
      found.take(total - rest.matched_lines + 1, total)
    end)
  end
  local known = view.counted_matches
  if known and known.etag == view.etag and vim.deep_equal(known.params, found.params) then
    return tell(known.total)
  end
  count_from(1, function(all)
    view.counted_matches = { etag = all.etag, params = found.params, total = all.matched_lines }
    tell(all.matched_lines)
  end)
end

---Count what is not known yet: matches before those that are shown, all lines, and the matches of a search.
---@param view forge.View
local function count_all(view)
  local function count_found()
    if view.found then
      count_match(view, view.found)
    end
  end
  local function count_lines()
    if view.total_of == view.etag then
      return count_found()
    end
    local function counted_all(counted)
      take(view, counted)
      count_found()
    end
    count(view, nil, counted_all, function(error)
      count_up_to_damage(view, error, counted_all, function() end)
    end)
  end
  if not view.origin then
    return count_lines()
  end
  count(view, view:filter_within({ last_line = view.origin - 1 }), function(counted)
    if view.origin and filters.looks_around(view.filter) then
      return require("forge.travel").settle(view)
    elseif view.origin then
      pages.number(view, view.first + counted.line_count)
      numbers.publish(view)
      vim.cmd("redrawstatus!")
    end
    count_lines()
  end)
end

---The same, once the view is left alone.
---@param view forge.View
function M.soon(view)
  if view.total_of == view.etag and not view.found and not view.origin then
    return
  end
  local stopped = false
  view.stop_counting()
  view.stop_counting = function()
    stopped = true
  end
  vim.defer_fn(function()
    if not stopped and view:is_open() then
      count_all(view)
    end
  end, view.origin and 0 or UNDISTURBED_MS)
end

---Find out which match of how many a search found: lines count, not matches in them.
---@param view forge.View
---@param pattern forge.Searched
---@param line integer
---@param tell fun(index: integer, total: integer)
function M.match(view, pattern, line, tell)
  view.found = { params = search.parameters(view, pattern), line = line, take = tell }
  M.soon(view)
end

---Count them while a person waits.
---@param view forge.View
---@param counted fun(total: integer, etag: string)
---@param failed? fun(error: forge.Error)
function M.now(view, counted, failed)
  local task = tasks.begin(view, "counting")
  local function take_count(result)
    task:finish()
    view.total, view.total_of = result.line_count, result.etag
    counted(result.line_count, result.etag)
  end
  task:ask("forge/countLines", asking.about(view, {}), take_count, function(error)
    count_up_to_damage(view, error, take_count, failed or messages.fail)
  end)
  task:wait()
end

return M
