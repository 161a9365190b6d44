---Pages of a file in the buffer of a view: shown in place of others, added at either end, and let go of.
local asking = require("forge.asking")
local colours = require("forge.colours")
local long_lines = require("forge.long_lines")
local page_marks = require("forge.page_marks")
local selection = require("forge.selection")

local M = {}

local PAGE = asking.PAGE
local MOST_LINES = 5 * PAGE

---Change lines above the visible ones, without those moving.
---@param view forge.View
---@param from integer
---@param to integer
---@param lines string[]
local function write_above(view, from, to, lines)
  local shift, seen = #lines - (to - from), {}
  for _, window in ipairs(vim.fn.win_findbuf(view.buf)) do
    seen[window] = vim.api.nvim_win_call(window, vim.fn.winsaveview)
  end
  view:write(from, to, lines)
  for window, position in pairs(seen) do
    position.lnum = math.max(1, position.lnum + shift)
    position.topline = math.max(1, position.topline + shift)
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview(position)
    end)
  end
end

---@param view forge.View
---@param page forge.ReadFileResult
---@param open_line? string
local function take_end(view, page, open_line)
  view.at_end, view.next_cursor, view.end_cursor = not page.truncated, page.next_cursor, page.end_cursor
  view.open_line = open_line
  if view.at_end and not view.filter and view.first > 0 then
    view.total, view.total_of = view.first + view.count - 1, page.etag
  end
  if long_lines.is_cut(page) then
    view.next_cursor = nil -- It would continue inside the line; the file continues by number.
    long_lines.mark_cut(view, view.count)
  end
end

---@param view forge.View
---@param cursor? string
---@param filter? forge.FilterParams with which it was got
function M.take_proof(view, cursor, filter)
  view.proof = cursor and { cursor = cursor, filter = filter } or view.proof
end

---@param view forge.View
---@param page forge.ReadFileResult
function M.take_identity(view, page)
  view.etag, view.meta, view.is_gone, view.is_old = page.etag, page.meta, nil, nil
  M.take_proof(view, page.next_cursor or page.end_cursor, view:window_filter())
  view.compression = page.meta.compression
  if page.meta.line_count and not view.origin then
    view.total, view.total_of = page.meta.line_count, page.etag
  end
end

---@param view forge.View
---@param page forge.ReadFileResult
function M.replace(view, page)
  local start = selection.start(view)
  local lines, found, open_line = view:lines_of(page)
  M.take_identity(view, page)
  view.first, view.count, view.numbers = page.meta.start_line, #lines, page.line_numbers
  if view.first < 0 and view.origin then
    view.first = view.first + 1 -- The last match before the origin has number 0.
  elseif view.first < 0 and view.total_of == page.etag then
    view.first = view.total + view.first + 1
  end
  long_lines.clear(view)
  view.asked_colours, view.context = {}, {}
  view:write(0, -1, lines)
  colours.show(view.buf, 0, found)
  long_lines.mark_clipped(view, page, 1)
  page_marks.show(view, page, 1)
  take_end(view, page, open_line)
  selection.restore(view, start)
end

---@param view forge.View
---@param page forge.ReadFileResult
function M.append(view, page)
  local start, staying = selection.start(view), view.follow and view:windows_at_end() or {}
  local continues_line = view.open_line ~= nil and view.at_end and page.content ~= ""
  local lines, found, open_line = view:lines_of(page, continues_line and view.open_line or nil)
  local kept = continues_line and view.count - 1 or view.count
  local is_cut = continues_line and long_lines.is_partial(view, view.count)
  if is_cut then -- What continues it comes after what is not shown of it.
    lines[1] = vim.api.nvim_buf_get_lines(view.buf, kept, kept + 1, false)[1]
    found = found and vim.tbl_extend("force", found, { {} })
  end
  M.take_identity(view, page)
  view:write(kept, view.count == 0 and -1 or view.count, lines)
  if is_cut then
    long_lines.mark_cut(view, kept + 1)
  end
  colours.show(view.buf, kept, found)
  long_lines.mark_clipped(view, page, kept + 1)
  if view.numbers then
    vim.list_extend(view.numbers, page.line_numbers or {}, view.count - kept + 1)
  end
  if not view:is_numbered() then
    view.first = view.first - (kept + #lines - view.count)
  end
  view.count = kept + #lines
  page_marks.show(view, page, kept + 1)
  take_end(view, page, open_line)
  local window = view:window()
  local above = window and vim.fn.line("w0", window) - PAGE or 0
  local surplus = math.min(view.count - MOST_LINES, above)
  if surplus > 0 then
    write_above(view, 0, surplus, {})
    view.first, view.count = view.first + surplus, view.count - surplus
    view.numbers = view.numbers and vim.list_slice(view.numbers, surplus + 1)
  end
  for _, each in ipairs(staying) do
    vim.api.nvim_win_set_cursor(each, { math.max(1, view.count), vim.api.nvim_win_get_cursor(each)[2] })
  end
  selection.restore(view, start)
end

---@param view forge.View
---@param page forge.ReadFileResult
function M.prepend(view, page)
  local start = selection.start(view)
  local lines, found = view:lines_of(page)
  view.etag = page.etag
  write_above(view, 0, 0, lines)
  colours.show(view.buf, 0, found)
  long_lines.mark_clipped(view, page, 1)
  view.first, view.count = view.first - #lines, view.count + #lines
  view.numbers = view.numbers and vim.list_extend(vim.list_slice(page.line_numbers or {}), view.numbers)
  page_marks.show(view, page, 1)
  if long_lines.is_cut(page) then
    long_lines.mark_cut(view, #lines)
  end
  local window = view:window()
  local kept = math.max(MOST_LINES, window and vim.fn.line("w$", window) + PAGE or 0)
  if view.count > kept then
    view:write(kept, -1, {})
    view.count, view.at_end, view.next_cursor, view.end_cursor = kept, false, nil, nil
    view.numbers = view.numbers and vim.list_slice(view.numbers, 1, kept)
  end
  selection.restore(view, start)
end

---It is known which of all matches the first one in the buffer is.
---@param view forge.View
---@param first integer
function M.number(view, first)
  view.first, view.origin = first, nil
  view.next_cursor, view.end_cursor = nil, nil -- They belong to the part of the file that was counted from.
end

local IDENTITY = { "etag", "proof", "next_cursor", "end_cursor", "total", "total_of", "open_line" }

---The file is another one: nothing that was told about it holds. Its lines stay until others come.
---@param view forge.View
---@return table<string, any> told
function M.forget(view)
  local told = {}
  for _, field in ipairs(IDENTITY) do
    told[field], view[field] = view[field], nil
  end
  view.growing = {}
  return told
end

---What was told about the file holds after all.
---@param view forge.View
---@param told table<string, any>
function M.recall(view, told)
  for _, field in ipairs(IDENTITY) do
    view[field] = told[field]
  end
end

---Forget its lines as well.
---@param view forge.View
function M.clear(view)
  M.forget(view)
  view.first, view.origin, view.count, view.at_end = 1, nil, 0, true
  view.numbers = view.numbers and {}
  view:write(0, -1, {})
end

local COPIED = {
  "first",
  "origin",
  "count",
  "at_end",
  "next_cursor",
  "end_cursor",
  "open_line",
  "proof",
  "etag",
  "total",
  "total_of",
  "filter",
  "gaps",
  "ansi",
  "encoding",
  "rotated",
  "compression",
  "meta",
  "is_coloured",
}

---Show lines that were read before.
---@param view forge.View
---@param other forge.View the view they were in
---@param lines string[]
function M.restore(view, other, lines)
  for _, field in ipairs(COPIED) do
    view[field] = other[field]
  end
  view.numbers = other.numbers and vim.list_slice(other.numbers)
  view:write(0, -1, lines)
end

---Show what another view of the same file shows.
---@param view forge.View
---@param other forge.View
function M.copy(view, other)
  M.restore(view, other, vim.api.nvim_buf_get_lines(other.buf, 0, -1, false))
  colours.copy(other.buf, view.buf)
  long_lines.copy(other, view)
  page_marks.copy(view, other)
end

return M
