---Ways through a file: to a line, to the end, and to what is there now.
local asking = require("forge.asking")
local changes = require("forge.changes")
local counting = require("forge.counting")
local filters = require("forge.filters")
local loading = require("forge.loading")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local pages = require("forge.pages")
local tasks = require("forge.tasks")

local PAGE = asking.PAGE
---How many matches are looked for before something is shown: they may be far apart.
local FIRST_MATCHES = 100

local M = {}

---Show these lines in place of the others.
---@param view forge.View
---@param page forge.ReadFileResult
---@param origin? integer
local function show(view, page, origin)
  local is_first = view.etag == nil
  view.growing, view.origin = {}, origin
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
  local task = tasks.begin(view, selector.filter and "searching" or "reading")
  task:ask("forge/readFile", asking.window(view, selector), function(page)
    task:finish()
    take(page)
  end, function(error)
    counting.soon(view)
    return (failed or messages.fail)(error)
  end)
  task:wait()
end

---@param page forge.ReadFileResult
---@return boolean
local function is_past_the_end(page)
  return page.content == "" and page.meta.start_line > 1
end

---To a page with a line in it, and others before it.
---@param view forge.View
---@param ordinal integer
---@param origin? integer
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
local function jump_to_line(view, ordinal, origin, take, failed)
  local filter = view.filter and view:filter_within({ first_line = origin })
  jump(view, { start_line = math.max(1, ordinal - PAGE / 2), filter = filter }, function(page)
    local last = page.meta.start_line + page.meta.returned_line_count - 1
    if page.truncated and last < ordinal then
      -- The lines before it are so long that they fill the page.
      jump(view, { start_line = ordinal, filter = filter }, take, failed)
    else
      take(page)
    end
  end, failed)
end

---The lines are too long for one page. A damaged text is truncated as well, where its lines end.
---@param page forge.ReadFileResult
---@param lines integer how many were asked for
---@return boolean
local function is_missing_some(page, lines)
  return page.truncated and lines > 1 and page.meta.returned_line_count < lines
end

---@param view forge.View
---@param lines integer
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
local function jump_to_last_lines(view, lines, take, failed)
  jump(view, { tail = lines }, function(page)
    if is_missing_some(page, lines) then
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
  local selector = { start_line = math.max(1, total - lines + 1), max_lines = 10 * PAGE, filter = view.filter }
  jump(view, selector, function(page)
    if is_missing_some(page, lines) then
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
---@param origin? integer from which matches are counted
function M.go_to_ordinal(view, ordinal, arrival, origin)
  arrival = arrival or {}
  jump_to_line(view, ordinal, origin, function(page)
    if is_past_the_end(page) then
      return M.go_to_end(view, arrival)
    end
    changes.say_if_changed(view, page)
    show(view, page, origin)
    view:put_cursors(ordinal - view.first + 1, arrival.column, arrival.scroll or "zz")
    numbers.publish(view)
    if arrival.arrived then
      arrival.arrived()
    end
  end, arrival.failed)
end

---The first match from a line on, and those around it, without counting the ones before.
---@param view forge.View
---@param line integer
---@param arrival? forge.Arrival
---@param filter? forge.FilterParams another one than the view's, which it gets with its first lines
function M.go_to_match(view, line, arrival, filter)
  arrival = arrival or {}
  local wanted = filter or assert(view.filter)
  local function take(page, origin, row)
    if not filter then
      changes.say_if_changed(view, page)
    elseif page.content == "" then
      return arrival.failed and arrival.failed({ code = "NOT_FOUND", message = "no line matches" })
    else
      view.filter, view.total, view.total_of, view.proof = filter, nil, nil, nil
    end
    show(view, page, origin)
    row = row and row(view) or 1
    view:put_cursors(row, arrival.column, "zz")
    loading.surround(view)
    numbers.publish(view)
    if arrival.arrived then
      arrival.arrived()
    end
  end
  local task = tasks.begin(view, "searching")
  local begin_second_part = task:scale_by_parts()
  local function fail(error)
    counting.soon(view)
    return (arrival.failed or messages.fail)(error)
  end
  local function ask(selector, answered)
    task:ask("forge/readFile", asking.window(view, selector), answered, fail)
  end
  local function ask_before(lines, answered)
    local before = vim.tbl_extend("force", wanted, { last_line = line - 1 })
    ask({ tail = lines, filter = before }, function(page)
      if page.truncated_by == "bytes" and lines > 1 then
        return ask_before(loading.fewer(lines, page), answered)
      end
      answered(page)
    end)
  end
  local function ask_from(first)
    local from_here = vim.tbl_extend("force", wanted, { first_line = first > 1 and first or nil })
    ask({ start_line = 1, filter = from_here, max_lines = FIRST_MATCHES }, function(page)
      if page.content ~= "" or first == 1 then
        task:finish()
        return take(page, from_here.first_line, function()
          return view:first_match_from(line)
        end)
      end
      begin_second_part()
      ask_before(PAGE, function(before)
        task:finish()
        local origin = before.meta.start_line < 0 and line or nil
        -- Where the file ends is known from the other part.
        before.truncated, before.next_cursor, before.end_cursor = false, nil, origin and page.end_cursor
        take(before, origin, function()
          return view.count
        end)
        pages.take_proof(view, page.end_cursor, from_here)
      end)
    end)
  end
  if filters.looks_around(wanted) and line > 1 then -- What is above decides as well.
    task:ask("forge/records", asking.about_text(view, { lines = { line } }), function(answer)
      local record = answer.records[1]
      ask_from(math.max(1, (record and record.start_line or line) - (wanted.before or 0)))
    end, fail)
  else
    ask_from(line)
  end
  task:wait()
end

---The matches were counted. Where lines around others decide what passes, a part of the file has others than all of it:
---read the lines again as part of the whole, at the same place.
---@param view forge.View
function M.settle(view)
  local line = math.max(1, view:line())
  local before = view:filter_within({ last_line = math.max(1, line - 1) })
  asking.ask(view, "forge/countLines", { filter = before }, function(counted)
    local start = math.max(1, counted.line_count - PAGE / 2)
    asking.fetch(view, { start_line = start, filter = view.filter }, function(page)
      local window, place = view:window(), view:place()
      if not window or not view.origin or place.line ~= line then
        return counting.soon(view)
      end
      local above = vim.fn.line(".", window) - vim.fn.line("w0", window)
      view.growing, view.origin = {}, nil
      pages.replace(view, page)
      view:put_cursor(view:first_match_from(line), place.column)
      vim.api.nvim_win_call(window, function()
        vim.fn.winrestview({ topline = math.max(1, vim.fn.line(".") - above) })
      end)
      loading.grow(view)
      counting.soon(view)
      numbers.publish(view)
      vim.cmd("redrawstatus!")
    end, function() end)
  end, function() end)
end

---@param view forge.View
---@param line integer With a filter: the first line that matches, from this one on.
---@param arrival? forge.Arrival
function M.go_to(view, line, arrival)
  arrival = arrival or {}
  local row = view.etag and view:is_numbered() and view:row(line)
  if row then
    view:stop()
    view:put_cursor(row, arrival.column)
    numbers.publish(view)
    loading.grow(view)
    return arrival.arrived and arrival.arrived()
  elseif view.filter then
    return M.go_to_match(view, line, arrival)
  end
  M.go_to_ordinal(view, line, arrival)
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
  if not window or not view:is_numbered() then
    return M.go_to_end(view, { arrived = arrived })
  elseif view.origin then
    return M.go_to_match(view, view:line(), { column = view:place().column, arrived = arrived })
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(window))
  local ordinal = view:ordinal(row)
  local above = vim.fn.line(".", window) - vim.fn.line("w0", window)
  jump_to_line(view, ordinal, nil, function(page)
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
  if not view:window() then
    return -- It is looked at again when a window shows it; until then its place must be kept.
  end
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
  if not view.etag or view.cancel or view.is_old then
    return
  end
  asking.fetch(view, { head = 1, if_none_match = view.etag }, function(page)
    view.is_gone = nil
    changes.compare(view, page, function() end, function()
      if view:is_paused() then
        view.is_old = true
      elseif not view.follow then -- Otherwise following shows it.
        M.show_other(view)
      end
    end)
  end, function(error)
    changes.tell_failure(view, error)
  end)
end

return M
