---Loading more lines: where the end of the loaded ones is near, what was appended, and other parts of long lines.
local asking = require("forge.asking")
local changes = require("forge.changes")
local counting = require("forge.counting")
local long_lines = require("forge.long_lines")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local pages = require("forge.pages")

local PAGE, WIDTH = asking.PAGE, asking.WIDTH
---How much of a long line is shown before what was searched for in it.
local BEFORE = 200

local M = {}

---How many lines to ask for where so many are too long for one page, and its last ones are wanted.
---@param lines integer
---@param page forge.ReadFileResult
---@return integer
function M.fewer(lines, page)
  return math.max(1, math.floor(math.min(lines, page.meta.returned_line_count) / 2))
end

---@param view forge.View
---@param direction "down"|"up"
---@param selector table
---@param take fun(page: forge.ReadFileResult)
---@param lost? fun() called in place of saying so where the file is gone or is another one
local function load(view, direction, selector, take, lost)
  local growing, origin = view.growing, view.origin
  growing[direction] = true
  local function is_current()
    return view.growing == growing -- Otherwise other lines are shown by now.
  end
  local function fail(error)
    growing[direction] = nil
    if lost and is_current() and (error.code == "CONTENT_MODIFIED" or error.code == "NOT_FOUND") then
      lost()
    elseif error.code == "CONTENT_MODIFIED" and is_current() then
      require("forge.travel").show_other(view)
    else
      changes.tell_failure(view, error)
    end
  end
  asking.fetch(view, selector, function(page)
    if not is_current() then
      return
    end
    local function accept()
      growing[direction] = nil
      if view.origin ~= origin then -- Its cursors are of no use any more.
        page.next_cursor, page.end_cursor = nil, nil
      end
      if is_current() then
        take(page)
        -- What comes by itself does not put off the count that numbers it, nor that of the matches of a search.
        if not lost or view:is_numbered() and not view.found then
          counting.soon(view)
        end
        numbers.publish(view)
      end
      local load_again = view.load_again
      view.load_again = nil
      if load_again then
        M.load_new(view, unpack(load_again))
      end
    end
    if selector.cursor then
      return accept() -- A cursor is only good for the same file, grown or not.
    end
    changes.compare(view, page, accept, function()
      growing[direction] = nil
      require("forge.travel").show_other(view)
    end, fail)
  end, fail)
end

---Wait a moment for lines that are being loaded, however many requests it takes.
---@param view forge.View
---@param direction "down"|"up"
local function wait_for(view, direction)
  asking.wait_for(function()
    return not view.growing[direction] or not view:is_open()
  end)
end

---@param view forge.View
local function load_following(view)
  local by_cursor = view.next_cursor and { cursor = view.next_cursor }
  load(view, "down", by_cursor or { start_line = view:ordinal(view.count + 1) }, function(page)
    pages.append(view, page)
  end)
end

---Matches before those that are loaded, where it is not known how many there are.
---@param view forge.View
---@param lines integer
---@param done? fun()
local function load_previous_matches(view, lines, done)
  local limits = { last_line = math.max(1, view:number(1) - 1) }
  load(view, "up", { tail = lines, filter = view:filter_within(limits) }, function(page)
    if page.truncated_by == "bytes" and lines > 1 then -- By lines it is, where the last match is not the last line.
      return load_previous_matches(view, M.fewer(lines, page), done)
    end
    pages.prepend(view, page)
    local is_first = page.meta.returned_line_count < lines
    if view.origin and (is_first or page.meta.start_line > 0) then
      pages.number(view, is_first and 1 or page.meta.start_line)
    end
    if done then
      done()
    end
  end)
end

---Show the matches before the one that was gone to as well.
---@param view forge.View
function M.surround(view)
  if not view.origin or view.growing.up then
    return M.grow(view)
  end
  local place = view:place()
  load_previous_matches(view, PAGE, function()
    if vim.deep_equal(view:place(), place) then
      view:put_cursors(view:row(place.line) or 1, place.column, "zz")
    end
  end)
  wait_for(view, "up")
end

---@param view forge.View
---@param lines integer
local function load_previous(view, lines)
  if view.origin then
    return load_previous_matches(view, lines)
  end
  local start = math.max(1, view.first - lines)
  load(view, "up", { start_line = start, limit = view.first - start }, function(page)
    if page.truncated and lines > 1 then
      load_previous(view, M.fewer(lines, page))
    else
      pages.prepend(view, page)
    end
  end)
end

---Load more lines where the end of the loaded ones is near, and wait a moment for them where it is reached.
---@param view forge.View
function M.grow(view)
  local window = view:window()
  if not window or not view.etag or view.is_old then
    return
  end
  local near = 2 * vim.api.nvim_win_get_height(window)
  local top, bottom = vim.fn.line("w0", window), vim.fn.line("w$", window)
  if not view.at_end and bottom + near > view.count then
    if not view.growing.down then
      load_following(view)
    end
    if bottom >= view.count then
      wait_for(view, "down")
    end
  end
  if view:has_lines_above() and top - near < 1 then
    if not view.growing.up then
      load_previous(view, PAGE)
    end
    if top <= 1 then
      wait_for(view, "up")
    end
  end
end

---Load the lines after those that are loaded, or before them, and wait a moment for them.
---@param view forge.View
---@param direction "down"|"up"
---@return boolean whether there are more now
function M.load_more(view, direction)
  local edge = view:number(direction == "down" and view.count or 1)
  local is_there = direction == "up" and view:has_lines_above() or direction == "down" and not view.at_end
  if not is_there or changes.refuse_old(view) then
    return false
  elseif not view.growing[direction] then
    if direction == "down" then
      load_following(view)
    else
      load_previous(view, PAGE)
    end
  end
  wait_for(view, direction)
  return view:is_open() and view:number(direction == "down" and view.count or 1) ~= edge
end

---Columns of one line, as a person counts them: without escape sequences.
---@param view forge.View
---@param row integer
---@param start integer
---@param take fun(page: forge.ReadFileResult)
local function fetch_columns(view, row, start, take)
  if changes.refuse_old(view) then
    return
  elseif not view:is_numbered() then
    return messages.warn(messages.STILL_COUNTING)
  end
  local line = view:number(row)
  local selector = { start_line = line, limit = 1, columns = { start = start, count = WIDTH } }
  asking.ask_plainly(view, "forge/readFile", asking.about_text(view, selector), take)
end

---Show the part of a line that has a column in it, where the line is too long to be shown whole.
---@param view forge.View
---@param line integer
---@param column integer in characters, from 1
---@param done fun()
function M.show_column(view, line, column, done)
  local row = view:row(line)
  if not row or not long_lines.is_partial(view, row) then
    return done()
  end
  local first = long_lines.first_column(view, row)
  local shown = vim.fn.strchars(vim.fn.getbufline(view.buf, row)[1])
  if column >= first and column < first + shown - BEFORE then
    return done()
  end
  local start = math.max(1, column - BEFORE)
  fetch_columns(view, row, start, function(page)
    local now = view:row(line)
    if now then
      long_lines.show_part(view, now, page, start)
    end
    done()
  end)
end

---To a column of the line the cursor is in.
---@param view forge.View
---@param column integer in characters, from 1
function M.go_to_column(view, column)
  local line = view:line()
  M.show_column(view, line, column, function()
    local row = view:row(line)
    local text = row and vim.fn.getbufline(view.buf, row)[1]
    if row and text then
      local byte = vim.fn.byteidxcomp(text, column - long_lines.first_column(view, row))
      view:put_cursor(row, byte >= 0 and byte or #text)
    end
  end)
end

---To the end of the line the cursor is in. Only its bytes are known, so characters of several bytes take some tries.
---@param view forge.View
function M.go_to_last_column(view)
  local row = vim.fn.line(".")
  ---@param low integer there is such a column
  ---@param high integer there is none after it
  ---@param start integer
  local function search(low, high, start)
    fetch_columns(view, row, start, function(page)
      local text = page.content:gsub("\n$", ""):gsub("%z", " ")
      local clipped = (page.clipped_lines or {})[1]
      if text == "" and start > low then
        search(low, start - 1, math.floor((low + start) / 2))
      elseif clipped then
        low, high = start + WIDTH, math.min(high, start + WIDTH - 1 + clipped.omitted_bytes)
        search(low, high, math.max(low, high - WIDTH + 1))
      else
        M.go_to_column(view, math.max(1, start + vim.fn.strchars(text) - 1))
      end
    end)
  end
  local first = long_lines.first_column(view, row)
  search(first, view.meta.byte_length, first)
end

---What was appended to the file since its end was shown.
---@param view forge.View
---@param loaded fun() called where there is more
---@param lost? fun() called in place of saying so where the file is gone or is another one
function M.load_new(view, loaded, lost)
  local cursor = view.at_end and view.end_cursor or view.next_cursor
  if not cursor and (view.open_line or not view:is_numbered()) then
    return
  elseif view.growing.down then
    view.load_again = { loaded, lost }
    return
  end
  local selector = cursor and { cursor = cursor } or { start_line = view:ordinal(view.count + 1) }
  load(view, "down", selector, function(page)
    if page.content == "" then
      pages.take_identity(view, page)
      return
    end
    pages.append(view, page)
    loaded()
  end, lost)
end

---The same, and wait a moment for it.
---@param view forge.View
---@return boolean whether there is more
function M.wait_for_new(view)
  local is_there = false
  M.load_new(view, function()
    is_there = true
  end)
  wait_for(view, "down")
  return is_there
end

return M
