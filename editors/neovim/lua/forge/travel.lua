---Ways through a file: to a line, to the end, to what is there now, and on beyond the lines that are loaded.
local daemon = require("forge.daemon")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local PAGE = require("forge.view").PAGE

local M = {}

---How long a key waits for its page before the person may type on.
local PATIENCE_MS = 250
---How long nobody must have gone anywhere before lines are counted.
local UNDISTURBED_MS = 300

---Wait a moment for what usually takes less.
---@param answered fun(): boolean
function M.wait_for(answered)
  vim.wait(PATIENCE_MS, answered, 1)
end

---@param view forge.View
---@param selector table
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
---@param on_progress? fun(value: table)
---@return fun() cancel
---@return fun(): boolean answered
local function fetch(view, selector, take, failed, on_progress)
  local answered = false
  local params = vim.tbl_extend("force", { path = view.path, max_lines = PAGE, on_binary = "refuse" }, selector)
  local cancel = daemon.request("forge/readFile", params, function(error, page)
    answered = true
    if not view:is_open() then
      return
    end
    if page then
      take(page)
    elseif error.code ~= "CANCELLED" then
      (failed or messages.fail)(error)
    end
  end, on_progress)
  return cancel, function()
    return answered
  end
end

---@param view forge.View
---@param counted? forge.CountLinesResult
local function take_count(view, counted)
  if not counted or not view:is_open() or counted.etag ~= view.etag then
    return
  end
  view.total, view.total_of = counted.line_count, counted.etag
  if view.first < 0 then
    view.first = view.total + view.first + 1
    M.grow(view)
    vim.cmd("redraw!")
  end
  vim.cmd("redrawstatus!")
end

---How many lines the file has, where that takes a look at all of it: once nobody goes anywhere for a moment.
---@param view forge.View
local function count_lines(view)
  if view.total then
    return
  end
  local stopped = false
  view.stop_counting = function()
    stopped = true
  end
  vim.defer_fn(function()
    if not stopped and view:is_open() then
      view.stop_counting = daemon.request("forge/countLines", { path = view.path }, function(_, counted)
        take_count(view, counted)
      end)
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
end

---Shows how far something is that a person waits for.
---@param view forge.View
---@param doing string
---@return fun(value: table)
function M.reporter(view, doing)
  return function(value)
    if view.cancel and value.kind ~= "end" then
      local name = vim.fs.basename(view.path)
      messages.progress(("%s %s, %d %%, CTRL-C stops"):format(doing, name, value.percentage or 0))
    end
  end
end

---@param view forge.View
---@param selector table
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
local function jump(view, selector, take, failed)
  view:stop()
  view.stop_counting()
  local cancel, answered = fetch(view, selector, function(page)
    view.cancel = nil
    take(page)
  end, function(error)
    view.cancel = nil
    count_lines(view)
    return (failed or messages.fail)(error)
  end, M.reporter(view, "reading"))
  view.cancel = cancel
  M.wait_for(answered)
end

---@param view forge.View
---@param page forge.ReadFileResult
local function say_if_changed(view, page)
  if view.etag and view.etag ~= page.etag then
    messages.say(vim.fs.basename(view.path) .. " changed; shown anew")
  end
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

---@param view forge.View
---@param line integer
---@param arrived? fun()
---@param failed? fun(error: forge.Error)
function M.go_to(view, line, arrived, failed)
  local row = view.etag and view.first > 0 and view:row(line)
  if row then
    view:stop()
    view:put_cursor(row)
    M.grow(view)
    return arrived and arrived()
  end
  jump_to_line(view, line, function(page)
    if is_past_the_end(page) then
      return M.go_to_end(view, arrived, failed)
    end
    say_if_changed(view, page)
    show(view, page)
    view:put_cursor(line - view.first + 1, 0, true)
    if arrived then
      arrived()
    end
  end, failed)
end

---@param view forge.View
---@param arrived? fun()
---@param failed? fun(error: forge.Error)
function M.go_to_end(view, arrived, failed)
  jump_to_last_lines(view, PAGE, function(page)
    say_if_changed(view, page)
    show(view, page)
    view.at_end = true
    view:put_cursor(view.count)
    if arrived then
      arrived()
    end
  end, failed)
end

---@alias forge.Start integer|"end"

---@param view forge.View
---@param target forge.Start
---@param failed? fun(error: forge.Error)
function M.go(view, target, failed)
  if target == "end" then
    M.go_to_end(view, nil, failed)
  else
    M.go_to(view, target --[[@as integer]], nil, failed)
  end
end

---Show the same lines as they are now.
---@param view forge.View
---@param arrived? fun()
function M.refresh(view, arrived)
  local line, window = view:line(), view:window()
  if line < 0 or not window then
    return M.go_to_end(view, arrived)
  end
  local column = vim.api.nvim_win_get_cursor(window)[2]
  local above = vim.fn.line(".", window) - vim.fn.line("w0", window)
  jump_to_line(view, line, function(page)
    if is_past_the_end(page) then
      return M.go_to_end(view, arrived)
    end
    show(view, page)
    view:put_cursor(line - view.first + 1, column)
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview({ topline = math.max(1, vim.fn.line(".") - above) })
    end)
    M.grow(view)
    if arrived then
      arrived()
    end
  end)
end

---The file is another than the one that is shown: show that one, at the same line, and say so.
---@param view forge.View
local function changed(view)
  M.refresh(view, function()
    local name, line = vim.fs.basename(view.path), numbers.grouped(view:line())
    messages.say(("%s changed; shown anew at line %s"):format(name, line))
  end)
end

---@param view forge.View
---@param direction "down"|"up"
---@param selector table
---@param take fun(page: forge.ReadFileResult)
local function load(view, direction, selector, take)
  local growing, etag = view.growing, view.etag
  local _, answered = fetch(view, selector, function(page)
    growing[direction] = nil
    if view.growing ~= growing then
      return -- Other lines are shown by now.
    end
    if page.etag == etag then
      take(page)
    else
      changed(view)
    end
  end, function(error)
    growing[direction] = nil
    if error.code == "CONTENT_MODIFIED" then
      changed(view)
    else
      messages.fail(error)
    end
  end)
  growing[direction] = answered
end

---@param view forge.View
local function load_following(view)
  local by_cursor = view.next_cursor and { cursor = view.next_cursor }
  load(view, "down", by_cursor or { start_line = view:number(view.count + 1) }, function(page)
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

---Look whether the file is still the one that is shown.
---@param view forge.View
function M.check(view)
  if not view.etag or view.cancel then
    return
  end
  fetch(view, { head = 1, if_none_match = view.etag }, function(page)
    if view.etag and page.etag ~= view.etag then
      changed(view)
    end
  end)
end

return M
