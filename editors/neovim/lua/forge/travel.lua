---Ways through a file: to a line, to the end, and to what is there now.
local asking = require("forge.asking")
local changes = require("forge.changes")
local counting = require("forge.counting")
local loading = require("forge.loading")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local pages = require("forge.pages")

local PAGE = asking.PAGE

local M = {}

---Show these lines in place of the others.
---@param view forge.View
---@param page forge.ReadFileResult
local function show(view, page)
  local is_first = view.etag == nil
  view.growing = {}
  pages.replace(view, page)
  if is_first then
    view.on_filled()
  end
  counting.soon(view)
end

---@param view forge.View
---@param selector table
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
local function jump(view, selector, take, failed)
  asking.wait_in(view, "reading", function(done, on_progress)
    return asking.fetch(view, selector, function(page)
      done()
      take(page)
    end, function(error)
      done()
      counting.soon(view)
      return (failed or messages.fail)(error)
    end, on_progress)
  end)
end

---@param page forge.ReadFileResult
---@return boolean
local function is_past_the_end(page)
  return page.content == "" and page.meta.start_line > 1
end

---To a page with a line in it, and others before it.
---@param view forge.View
---@param ordinal integer
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
local function jump_to_line(view, ordinal, take, failed)
  jump(view, { start_line = math.max(1, ordinal - PAGE / 2) }, function(page)
    local last = page.meta.start_line + page.meta.returned_line_count - 1
    if page.truncated and last < ordinal then
      -- The lines before it are so long that they fill the page.
      jump(view, { start_line = ordinal }, take, failed)
    else
      take(page)
    end
  end, failed)
end

---@param view forge.View
---@param lines integer
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
local function jump_to_last_lines(view, lines, take, failed)
  jump(view, { tail = lines }, function(page)
    if page.truncated and lines > 1 then
      jump_to_last_lines(view, loading.fewer(lines, page), take, failed)
    else
      take(page)
    end
  end, failed)
end

---The last lines of a file that was just counted, by their numbers. It may have grown since then.
---@param view forge.View
---@param total integer
---@param lines integer
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
local function jump_to_counted_end(view, total, lines, take, failed)
  jump(view, { start_line = math.max(1, total - lines + 1), max_lines = 10 * PAGE }, function(page)
    if page.truncated and lines > 1 then
      jump_to_counted_end(view, total, loading.fewer(lines, page), take, failed)
    else
      take(page)
    end
  end, failed)
end

---@class forge.Arrival
---@field column? integer In bytes, from 0.
---@field scroll? "zt"|"zz"|"zb" Where in the window the line comes if it was not loaded.
---@field arrived? fun()
---@field failed? fun(error: forge.Error)

---@param view forge.View
---@param ordinal integer its number among the lines that count: all, or those that match
---@param arrival? forge.Arrival
function M.go_to_ordinal(view, ordinal, arrival)
  arrival = arrival or {}
  jump_to_line(view, ordinal, function(page)
    if is_past_the_end(page) then
      return M.go_to_end(view, arrival)
    end
    changes.say_if_changed(view, page)
    show(view, page)
    view:put_cursors(ordinal - view.first + 1, arrival.column, arrival.scroll or "zz")
    numbers.publish(view)
    if arrival.arrived then
      arrival.arrived()
    end
  end, arrival.failed)
end

---@param view forge.View
---@param line integer With a filter: the first line that matches, from this one on.
---@param arrival? forge.Arrival
function M.go_to(view, line, arrival)
  arrival = arrival or {}
  local row = view.etag and view.first > 0 and view:row(line)
  if row then
    view:stop()
    view:put_cursor(row, arrival.column)
    numbers.publish(view)
    loading.grow(view)
    return arrival.arrived and arrival.arrived()
  elseif not view.filter or line == 1 then
    return M.go_to_ordinal(view, line, arrival)
  end
  -- How many lines match before it?
  local filter = vim.tbl_extend("force", view.filter, { last_line = line - 1 })
  asking.wait_in(view, "searching", function(done, on_progress)
    return asking.ask(view, "forge/countLines", { filter = filter }, function(counted)
      done()
      M.go_to_ordinal(view, counted.line_count + 1, arrival)
    end, function(error)
      done()
      return (arrival.failed or messages.fail)(error)
    end, on_progress)
  end)
end

---@param view forge.View
---@param arrival? forge.Arrival
function M.go_to_end(view, arrival)
  arrival = arrival or {}
  local function take(page)
    changes.say_if_changed(view, page)
    show(view, page)
    view:put_cursors(view.count, arrival.column, "zb")
    numbers.publish(view)
    if arrival.arrived then
      arrival.arrived()
    end
  end
  local function take_tail(page)
    take(page)
    view.at_end = true -- Even if its last line is too long to be shown whole.
  end
  local function go_by_count()
    counting.now(view, function(total)
      jump_to_counted_end(view, total, PAGE, take, arrival.failed)
    end, arrival.failed)
  end
  if view.filter then
    return go_by_count() -- At the end of a large file the lines' own numbers would be counted from the end.
  end
  jump_to_last_lines(view, PAGE, function(page)
    if page.meta.start_line > 0 or not view.total or view.total_of == page.etag then
      take_tail(page)
    else
      go_by_count() -- The file grew since it was counted. Its index did too, so this is quick.
    end
  end, arrival.failed)
end

---@alias forge.Start integer|"end"

---@param view forge.View
---@param target forge.Start
---@param arrival? forge.Arrival
function M.go(view, target, arrival)
  if target == "end" then
    M.go_to_end(view, arrival)
  else
    M.go_to(view, target --[[@as integer]], arrival)
  end
end

---Show the same lines as they are now.
---@param view forge.View
---@param arrived? fun()
function M.refresh(view, arrived)
  local window = view:window()
  if view.first < 0 or not window then
    return M.go_to_end(view, { arrived = arrived })
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(window))
  local ordinal = view:ordinal(row)
  local above = vim.fn.line(".", window) - vim.fn.line("w0", window)
  jump_to_line(view, ordinal, function(page)
    if is_past_the_end(page) then
      return M.go_to_end(view, { arrived = arrived })
    end
    show(view, page)
    view:put_cursor(ordinal - view.first + 1, column)
    numbers.publish(view)
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview({ topline = math.max(1, vim.fn.line(".") - above) })
    end)
    loading.grow(view)
    if arrived then
      arrived()
    end
  end, function(error)
    changes.tell_failure(view, error)
  end)
end

---The file is another than the one that is shown: show that one, at the same line, and say so.
---@param view forge.View
function M.show_other(view)
  view.total, view.total_of, view.proof = nil, nil, nil
  M.refresh(view, function()
    local line = numbers.grouped(view:line())
    messages.say(("%s changed; shown again at line %s"):format(vim.fs.basename(view.path), line))
  end)
end

---The file was written anew, or is another one: show its end.
---@param view forge.View
function M.start_over(view)
  local told = pages.forget(view)
  M.go_to_end(view, {
    failed = function(error)
      if error.code == "NOT_FOUND" then
        pages.recall(view, told) -- It is gone again; what is shown stays.
      else
        messages.fail(error)
      end
    end,
  })
end

---Look whether the file is still the one that is shown.
---@param view forge.View
function M.check(view)
  if not view.etag or view.cancel then
    return
  end
  asking.fetch(view, { head = 1, if_none_match = view.etag }, function(page)
    view.is_gone = nil
    changes.compare(view, page, function() end, function()
      M.show_other(view)
    end)
  end, function(error)
    changes.tell_failure(view, error)
  end)
end

return M
