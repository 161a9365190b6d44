---Ways through a file: to a line, to the end, to what is there now, and beyond the lines that are loaded.
local daemon = require("forge.daemon")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local PAGE = require("forge.view").PAGE

---How much of a line is shown, in characters: longer ones would make Neovim slow.
local WIDTH = 20000
---How much of a long line is shown before what was searched for in it.
local BEFORE = 200

local M = {}

---How long a key waits for its page before the person can type on.
local PATIENCE_MS = 250
---How long a view must have been left alone before its lines are counted.
local UNDISTURBED_MS = 300

---What to do when a view got other lines, or a total.
---@type fun(view: forge.View)[]
M.on_change = {}

---@param view forge.View
local function changed_lines(view)
  for _, act in ipairs(M.on_change) do
    act(view)
  end
end

---Wait a moment for what usually takes less.
---@param answered fun(): boolean
function M.wait_for(answered)
  vim.wait(PATIENCE_MS, answered, 1)
end

---@param view forge.View
---@return string
local function name_of(view)
  return vim.fs.basename(view.path)
end

---@param view forge.View
---@param method string
---@param params table
---@param take fun(answer: any)
---@param failed? fun(error: forge.Error)
---@param on_progress? fun(value: table)
---@return fun() cancel
---@return fun(): boolean answered
function M.ask(view, method, params, take, failed, on_progress)
  local answered = false
  params = vim.tbl_extend("keep", { path = view.path }, params, view:parameters())
  local cancel = daemon.request(method, params, function(error, answer)
    answered = true
    if not view:is_open() then
      return
    end
    if answer then
      take(answer)
    elseif error.code ~= "CANCELLED" then
      (failed or messages.fail)(error)
    end
  end, on_progress)
  return cancel, function()
    return answered
  end
end

---@param view forge.View
---@param selector table
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
---@param on_progress? fun(value: table)
---@return fun() cancel
---@return fun(): boolean answered
function M.fetch(view, selector, take, failed, on_progress)
  local columns = { start = 1, count = WIDTH }
  local params = vim.tbl_extend("force", { max_lines = PAGE, on_binary = "refuse", columns = columns }, selector)
  return M.ask(view, "forge/readFile", params, take, failed, on_progress)
end

---Whether the file is the one that is shown, or that one and more.
---@param view forge.View
---@param page forge.ReadFileResult
---@param same fun()
---@param other fun()
local function compare(view, page, same, other)
  if not view.etag or page.etag == view.etag then
    return same()
  elseif not view.proof then
    return other()
  end
  M.fetch(view, { cursor = view.proof, max_lines = 1 }, same, function(error)
    if error.code == "CONTENT_MODIFIED" then
      other()
    else
      messages.fail(error)
    end
  end)
end

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
  M.fetch(view, { start_line = math.max(1, view.total - PAGE + 1), max_lines = 10 * PAGE }, function(page)
    if view.first > 0 then
      return
    end
    view.growing = {}
    view:replace(page)
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
    changed_lines(view)
  end)
end

---@param view forge.View
---@param counted forge.CountLinesResult
local function take_count(view, counted)
  view.total, view.total_of = counted.line_count, counted.etag
  if view.first < 0 then
    renumber(view)
    M.grow(view)
    vim.cmd("redraw!")
  end
  changed_lines(view)
  vim.cmd("redrawstatus!")
end

---Count the lines of a file that is too large for the daemon to do so by itself, once the view is left alone.
---@param view forge.View
local function count_lines(view)
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
      view.stop_counting = M.ask(view, "forge/countLines", {}, function(counted)
        take_count(view, counted)
      end, function() end)
    end
  end, UNDISTURBED_MS)
end

---Show these lines in place of the others.
---@param view forge.View
---@param page forge.ReadFileResult
local function show(view, page)
  local is_first = view.etag == nil
  view.growing = {}
  view:replace(page)
  if is_first then
    view.on_filled()
  end
  count_lines(view)
  changed_lines(view)
end

---Shows how far something is that a person waits for.
---@param view forge.View
---@param doing string
---@return fun(value: table)
function M.reporter(view, doing)
  return function(value)
    if view.cancel and value.kind ~= "end" then
      messages.progress(("%s %s, %d %%, CTRL-C stops"):format(doing, name_of(view), value.percentage or 0))
    end
  end
end

---Ask for something that a person waits for. Another such request takes its place.
---@param view forge.View
---@param doing string
---@param start fun(done: fun(), on_progress: fun(value: table)): fun(), fun(): boolean
function M.wait_in(view, doing, start)
  view:stop()
  view.stop_counting()
  local cancel, answered = start(function()
    view.cancel = nil
    messages.end_progress()
  end, M.reporter(view, doing))
  view.cancel = function()
    cancel()
    messages.end_progress()
    count_lines(view)
  end
  M.wait_for(answered)
end

---@param view forge.View
---@param selector table
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
local function jump(view, selector, take, failed)
  M.wait_in(view, "reading", function(done, on_progress)
    return M.fetch(view, selector, function(page)
      done()
      take(page)
    end, function(error)
      done()
      count_lines(view)
      return (failed or messages.fail)(error)
    end, on_progress)
  end)
end

---@param view forge.View
---@param page forge.ReadFileResult
local function say_if_changed(view, page)
  compare(view, page, function() end, function()
    if view.total_of ~= view.etag then
      view.total = nil
    end
    messages.say(name_of(view) .. " changed; shown anew")
  end)
end

---How many lines to ask for where so many are too long for one page, and its last ones are wanted.
---@param lines integer
---@param page forge.ReadFileResult
---@return integer
local function fewer(lines, page)
  return math.max(1, math.floor(math.min(lines, page.meta.returned_line_count) / 2))
end

---@param page forge.ReadFileResult
---@return boolean
local function is_past_the_end(page)
  return page.content == "" and page.meta.start_line > 1
end

---To a page with a line in it, and others before it.
---@param view forge.View
---@param line integer
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
local function jump_to_line(view, line, take, failed)
  jump(view, { start_line = math.max(1, line - PAGE / 2) }, function(page)
    local last = page.meta.start_line + page.meta.returned_line_count - 1
    if page.truncated and last < line then
      -- The lines before it are so long that they fill the page.
      jump(view, { start_line = line }, take, failed)
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
      jump_to_last_lines(view, fewer(lines, page), take, failed)
    else
      take(page)
    end
  end, failed)
end

---@class forge.Arrival
---@field column? integer In bytes, from 0.
---@field arrived? fun()
---@field failed? fun(error: forge.Error)

---@param view forge.View
---@param ordinal integer
---@param arrival forge.Arrival
local function go_to_ordinal(view, ordinal, arrival)
  jump_to_line(view, ordinal, function(page)
    if is_past_the_end(page) then
      return M.go_to_end(view, arrival)
    end
    say_if_changed(view, page)
    show(view, page)
    view:put_cursor(ordinal - view.first + 1, arrival.column, "zz")
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
    M.grow(view)
    return arrival.arrived and arrival.arrived()
  elseif not view.filter or line == 1 then
    return go_to_ordinal(view, line, arrival)
  end
  -- How many lines match before it?
  local filter = vim.tbl_extend("force", view.filter, { last_line = line - 1 })
  M.wait_in(view, "searching", function(done, on_progress)
    return M.ask(view, "forge/countLines", { filter = filter }, function(counted)
      done()
      go_to_ordinal(view, counted.line_count + 1, arrival)
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
    say_if_changed(view, page)
    show(view, page)
    view.at_end = true
    view:put_cursor(view.count, arrival.column, "zb")
    if arrival.arrived then
      arrival.arrived()
    end
  end
  jump_to_last_lines(view, PAGE, function(page)
    if page.meta.start_line > 0 or not view.total or view.total_of == page.etag then
      return take(page)
    end
    -- The file grew since it was counted. Its index did too, so this is quick.
    M.wait_in(view, "counting", function(done, on_progress)
      return M.ask(view, "forge/countLines", {}, function(counted)
        done()
        view.total, view.total_of = counted.line_count, counted.etag
        if counted.etag == page.etag then
          take(page)
        else
          jump(view, { start_line = math.max(1, counted.line_count - PAGE + 1), max_lines = 10 * PAGE }, take)
        end
      end, arrival.failed, on_progress)
    end)
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
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview({ topline = math.max(1, vim.fn.line(".") - above) })
    end)
    M.grow(view)
    if arrived then
      arrived()
    end
  end, function(error)
    M.tell_failure(view, error)
  end)
end

---A file that is gone keeps its window.
---@param view forge.View
---@param error forge.Error
function M.tell_failure(view, error)
  if error.code == "NOT_FOUND" and view.count > 0 then
    if not view.is_gone then
      view.is_gone = true
      messages.warn(("%s is not there any more; the lines shown were read before"):format(name_of(view)))
    end
  else
    messages.fail(error)
  end
end

---The file is another than the one that is shown: show that one, at the same line, and say so.
---@param view forge.View
local function show_other(view)
  view.total, view.total_of, view.proof = nil, nil, nil
  M.refresh(view, function()
    local line = numbers.grouped(view:line())
    messages.say(("%s changed; shown anew at line %s"):format(name_of(view), line))
  end)
end

---@param view forge.View
---@param direction "down"|"up"
---@param selector table
---@param take fun(page: forge.ReadFileResult)
local function load(view, direction, selector, take)
  local growing = view.growing
  local function is_current()
    return view.growing == growing -- Otherwise other lines are shown by now.
  end
  local _, answered = M.fetch(view, selector, function(page)
    if not is_current() then
      return
    end
    local function accept()
      growing[direction] = nil
      if is_current() then
        take(page)
        count_lines(view)
        changed_lines(view)
      end
      local load_again = view.load_again
      view.load_again = nil
      if load_again then
        M.load_new(view, load_again)
      end
    end
    if selector.cursor then
      return accept() -- A cursor is only good for the same file, grown or not.
    end
    compare(view, page, accept, function()
      show_other(view)
    end)
  end, function(error)
    growing[direction] = nil
    if error.code == "CONTENT_MODIFIED" and is_current() then
      show_other(view)
    else
      M.tell_failure(view, error)
    end
  end)
  growing[direction] = answered
end

---@param view forge.View
local function load_following(view)
  local by_cursor = view.next_cursor and { cursor = view.next_cursor }
  load(view, "down", by_cursor or { start_line = view:ordinal(view.count + 1) }, function(page)
    view:append(page)
  end)
end

---@param view forge.View
---@param lines integer
local function load_previous(view, lines)
  local start = math.max(1, view.first - lines)
  load(view, "up", { start_line = start, limit = view.first - start }, function(page)
    if page.truncated and lines > 1 then
      load_previous(view, fewer(lines, page))
    else
      view:prepend(page)
    end
  end)
end

---Load more lines where the end of the loaded ones is near, and wait a moment for them where it is reached.
---@param view forge.View
function M.grow(view)
  local window = view:window()
  if not window or not view.etag then
    return
  end
  local near = 2 * vim.api.nvim_win_get_height(window)
  local top, bottom = vim.fn.line("w0", window), vim.fn.line("w$", window)
  if not view.at_end and bottom + near > view.count then
    if not view.growing.down then
      load_following(view)
    end
    if bottom >= view.count then
      M.wait_for(view.growing.down)
    end
  end
  if view.first > 1 and top - near < 1 then
    if not view.growing.up then
      load_previous(view, PAGE)
    end
    if top <= 1 then
      M.wait_for(view.growing.up)
    end
  end
end

---Show the part of a line that has a column in it, where the line is too long to be shown whole.
---@param view forge.View
---@param line integer
---@param column integer in characters, from 1
---@param done fun()
function M.show_column(view, line, column, done)
  local row = view:row(line)
  local first = row and view:first_column(row) or 1
  if not row or (column >= first and column < first + WIDTH - BEFORE) then
    return done()
  end
  local start = math.max(1, column - BEFORE)
  local selector = { start_line = view:ordinal(row), limit = 1, columns = { start = start, count = WIDTH } }
  M.fetch(view, selector, function(page)
    local now = view:row(line)
    if now then
      view:show_part(now, page, start)
    end
    done()
  end)
end

---What was appended to the file since its end was shown.
---@param view forge.View
---@param loaded fun() called where there is more
function M.load_new(view, loaded)
  local cursor = view.at_end and view.end_cursor or view.next_cursor
  if not cursor then
    return
  elseif view.growing.down then
    view.load_again = loaded
    return
  end
  load(view, "down", { cursor = cursor }, function(page)
    if page.content == "" then
      view:take_identity(page)
      return
    end
    view:append(page)
    loaded()
  end)
end

---The same, and wait a moment for it.
---@param view forge.View
---@return boolean whether there is more
function M.wait_for_new(view)
  local is_there = false
  M.load_new(view, function()
    is_there = true
  end)
  if view.growing.down then
    M.wait_for(view.growing.down)
  end
  return is_there
end

---The file was written anew, or is another one: show its end.
---@param view forge.View
function M.start_over(view)
  view:start_over()
  M.go_to_end(view, {
    failed = function(error)
      if error.code ~= "NOT_FOUND" then
        messages.fail(error)
      end
    end,
  })
end

---@param view forge.View
---@param event forge.FollowedParams
function M.take_total(view, event)
  if event.line_count then
    view.total, view.total_of = event.line_count, event.etag
    changed_lines(view)
  end
end

---Look whether the file is still the one that is shown.
---@param view forge.View
function M.check(view)
  if not view.etag or view.cancel then
    return
  end
  M.fetch(view, { head = 1, if_none_match = view.etag }, function(page)
    view.is_gone = nil
    compare(view, page, function() end, function()
      show_other(view)
    end)
  end, function(error)
    M.tell_failure(view, error)
  end)
end

return M
