---A view of a file: some of its lines, one after the other, in a read-only buffer. `forge.loading` loads others.
local asking = require("forge.asking")
local colours = require("forge.colours")
local long_lines = require("forge.long_lines")
local roots = require("forge.roots")
local selection = require("forge.selection")

local M = {}

local PAGE = asking.PAGE
local MOST_LINES = 5 * PAGE

---@class forge.View
---@field buf integer
---@field path string Absolute.
---@field first integer The number of the buffer's first line, among those that match where there is a filter. Negative:
---counted from the end, -1 is the last.
---@field numbers? integer[] With a filter: the file's number of each line in the buffer.
---@field count integer How many lines are in the buffer.
---@field at_end boolean The buffer's last line is the file's.
---@field next_cursor? string Where the file continues after them.
---@field end_cursor? string Where the file ended.
---@field is_open_ended? boolean Its last line had no newline yet.
---@field proof? string A cursor: the daemon accepts it as long as the file only grew.
---@field etag? string
---@field total? integer Lines of the file, once they are counted.
---@field total_of? string The etag they were counted for.
---@field stop_counting fun()
---@field cancel? fun() Stops what a person is waiting for.
---@field on_filled fun() Called when its first lines are there.
---@field growing table<"down"|"up", fun(): boolean> What is being loaded at either end: whether it is there yet.
---@field load_again? fun() The file grew while lines were being loaded at its end.
---@field is_gone? boolean The file is not there any more, which was said.
---@field places? forge.Places
---@field encoding? string What the person asked for.
---@field compression? string
---@field filter? forge.FilterParams
---@field ansi? "strip" With a filter: it sees the text without escape sequences, and so do we.
---@field asked_colours table<integer, true> With `ansi`: the lines whose colours were asked for.
---@field follow? {stop: fun()}
---@field meta? forge.Meta Of the last window that was read.
---@field parts table<integer, integer> Lines shown from another column than the first: which one, in characters.
---@field is_coloured? boolean Escape sequences were taken out of its lines.
---@field anchor? forge.Place Where the selection starts, while that line is not loaded.
---@field selected? {[1]: forge.Place, [2]: forge.Place} The last selection, in the file's lines.
local View = {}
View.__index = View

---A position in a file.
---@class forge.Place
---@field line integer
---@field column integer In bytes, from 0.

local views = {} ---@type table<integer, forge.View>

---@param buf? integer
---@return forge.View?
function M.of(buf)
  return views[buf or vim.api.nvim_get_current_buf()]
end

---@return table<integer, forge.View>
function M.all()
  return views
end

---The view of a whole file that is best reused: the first one made.
---@param path string
---@return forge.View?
function M.on(path)
  local found
  for buf, view in pairs(views) do
    if view.path == path and not view.filter and (not found or buf < found.buf) then
      found = view
    end
  end
  return found
end

---A file whose first lines have not come yet counts as shown.
roots.opened_by_hand = function()
  local paths = {}
  for buf, view in pairs(views) do
    if not view.etag or #vim.fn.win_findbuf(buf) > 0 then
      table.insert(paths, view.path)
    end
  end
  return paths
end

---@param buf integer
---@param path string
---@return forge.View
function M.create(buf, path)
  local view = setmetatable({
    buf = buf,
    path = path,
    first = 1,
    count = 0,
    at_end = true,
    growing = {},
    parts = {},
    asked_colours = {},
    stop_counting = function() end,
    on_filled = function() end,
  }, View)
  views[buf] = view
  return view
end

function View:close()
  self:stop()
  if self.follow then
    self.follow.stop()
  end
  self.stop_counting()
  if views[self.buf] == self then
    views[self.buf] = nil
  end
end

---@return boolean
function View:is_open()
  return views[self.buf] == self and vim.api.nvim_buf_is_loaded(self.buf)
end

---What every request about the file must say.
---@return table
function View:file_parameters()
  return { encoding = self.encoding }
end

---What every request about the lines that are shown must say.
---@return table
function View:parameters()
  return vim.tbl_extend("force", self:file_parameters(), { filter = self.filter, ansi = self.ansi })
end

---@param row integer in the buffer, from 1
---@return integer its number among the lines that count: all, or those that match
function View:ordinal(row)
  return self.first + row - 1
end

---@param row integer in the buffer, from 1
---@return integer the file's number of that line
function View:number(row)
  if self.numbers then
    return self.numbers[math.max(1, math.min(row, self.count))] or 1
  end
  return self:ordinal(row)
end

---@param line integer
---@return integer? its row in the buffer
function View:row(line)
  if self.numbers then
    local low, high = 1, self.count
    while low <= high do
      local middle = math.floor((low + high) / 2)
      if self.numbers[middle] == line then
        return middle
      elseif self.numbers[middle] < line then
        low = middle + 1
      else
        high = middle - 1
      end
    end
    return
  end
  local row = line - self.first + 1
  if row >= 1 and row <= self.count then
    return row
  end
end

---The window the person sees it in.
---@return integer?
function View:window()
  local current = vim.api.nvim_get_current_win()
  if vim.api.nvim_win_get_buf(current) == self.buf then
    return current
  end
  return vim.fn.win_findbuf(self.buf)[1]
end

---@return forge.Place where the cursor is in the file
function View:place()
  local window = self:window()
  local row, column = 1, 0
  if window then
    row, column = unpack(vim.api.nvim_win_get_cursor(window))
  end
  return { line = self:number(row), column = column }
end

---@return integer the file's number of the line the cursor is in
function View:line()
  return self:place().line
end

---@return boolean whether its lines are not simply those of the file's bytes
function View:is_transformed()
  return self.compression ~= nil or self.filter ~= nil
end

---@param page forge.ReadFileResult
---@return string[] lines without escape sequences
---@return table<integer, forge.Span[]>? colours
function View:lines_of(page)
  local lines = vim.split(page.content, "\n", { plain = true })
  if lines[#lines] == "" then
    table.remove(lines)
  end
  local found = colours.take_out(lines)
  self.is_coloured = self.is_coloured or found ~= nil
  return lines, found
end

---@param from integer
---@param to integer
---@param lines string[]
function View:write(from, to, lines)
  local options = vim.bo[self.buf]
  options.modifiable, options.readonly = true, false
  vim.api.nvim_buf_set_lines(self.buf, from, to, false, lines)
  options.modifiable, options.readonly, options.modified = false, true, false
end

---Change lines above the visible ones, without those moving.
---@param from integer
---@param to integer
---@param lines string[]
function View:write_above(from, to, lines)
  local shift, seen = #lines - (to - from), {}
  for _, window in ipairs(vim.fn.win_findbuf(self.buf)) do
    seen[window] = vim.api.nvim_win_call(window, vim.fn.winsaveview)
  end
  self:write(from, to, lines)
  for window, position in pairs(seen) do
    position.lnum = math.max(1, position.lnum + shift)
    position.topline = math.max(1, position.topline + shift)
    vim.api.nvim_win_call(window, function()
      vim.fn.winrestview(position)
    end)
  end
end

---@param page forge.ReadFileResult
function View:take_end(page)
  self.at_end, self.next_cursor, self.end_cursor = not page.truncated, page.next_cursor, page.end_cursor
  self.is_open_ended = not vim.endswith(page.content, "\n") and self.count > 0
  if long_lines.is_cut(page) then
    self.next_cursor = nil -- It would continue inside the line; the file continues by number.
    long_lines.mark_cut(self, self.count)
  end
end

---@param page forge.ReadFileResult
function View:take_identity(page)
  self.etag, self.meta, self.is_gone = page.etag, page.meta, nil
  self.proof = page.next_cursor or page.end_cursor or self.proof
  self.compression = page.meta.compression
  if page.meta.line_count then
    self.total, self.total_of = page.meta.line_count, page.etag
  end
end

---@param page forge.ReadFileResult
function View:replace(page)
  local start = selection.start(self)
  local lines, found = self:lines_of(page)
  self:take_identity(page)
  self.first, self.count, self.numbers = page.meta.start_line, #lines, page.line_numbers
  if self.first < 0 and self.total_of == page.etag then
    self.first = self.total + self.first + 1
  end
  long_lines.clear(self)
  self.asked_colours = {}
  colours.clear(self.buf)
  self:write(0, -1, lines)
  colours.show(self.buf, 0, found)
  long_lines.mark_clipped(self, page, 1)
  self:take_end(page)
  selection.restore(self, start)
end

---@return integer[] windows whose cursor is on the last line
function View:windows_at_end()
  return vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_cursor(window)[1] >= math.max(1, self.count)
  end, vim.fn.win_findbuf(self.buf))
end

---@param page forge.ReadFileResult
function View:append(page)
  local start, staying = selection.start(self), self.follow and self:windows_at_end() or {}
  local lines, found = self:lines_of(page)
  local kept = self.count
  if self.is_open_ended and self.at_end and #lines > 0 then
    kept = kept - 1
    lines[1] = vim.api.nvim_buf_get_lines(self.buf, kept, kept + 1, false)[1] .. lines[1]
  end
  self:take_identity(page)
  self:write(kept, self.count == 0 and -1 or self.count, lines)
  colours.show(self.buf, kept, found)
  long_lines.mark_clipped(self, page, kept + 1)
  if self.numbers then
    vim.list_extend(self.numbers, page.line_numbers or {}, self.count - kept + 1)
  end
  if self.first < 0 then
    self.first = self.first - (kept + #lines - self.count)
  end
  self.count = kept + #lines
  self:take_end(page)
  local window = self:window()
  local above = window and vim.fn.line("w0", window) - PAGE or 0
  local surplus = math.min(self.count - MOST_LINES, above)
  if surplus > 0 then
    self:write_above(0, surplus, {})
    self.first, self.count = self.first + surplus, self.count - surplus
    self.numbers = self.numbers and vim.list_slice(self.numbers, surplus + 1)
  end
  for _, each in ipairs(staying) do
    vim.api.nvim_win_set_cursor(each, { math.max(1, self.count), vim.api.nvim_win_get_cursor(each)[2] })
  end
  selection.restore(self, start)
end

---@param page forge.ReadFileResult
function View:prepend(page)
  local start = selection.start(self)
  local lines, found = self:lines_of(page)
  self.etag = page.etag
  self:write_above(0, 0, lines)
  colours.show(self.buf, 0, found)
  long_lines.mark_clipped(self, page, 1)
  self.first, self.count = self.first - #lines, self.count + #lines
  self.numbers = self.numbers and vim.list_extend(page.line_numbers or {}, self.numbers)
  if long_lines.is_cut(page) then
    long_lines.mark_cut(self, #lines)
  end
  local window = self:window()
  local kept = math.max(MOST_LINES, window and vim.fn.line("w$", window) + PAGE or 0)
  if self.count > kept then
    self:write(kept, -1, {})
    self.count, self.at_end, self.next_cursor, self.end_cursor = kept, false, nil, nil
    self.numbers = self.numbers and vim.list_slice(self.numbers, 1, kept)
  end
  selection.restore(self, start)
end

---Forget its lines: the file is another one.
function View:start_over()
  self.first, self.count, self.at_end, self.growing = 1, 0, true, {}
  self.etag, self.proof, self.next_cursor, self.end_cursor = nil, nil, nil, nil
  self.total, self.total_of, self.is_open_ended = nil, nil, nil
  self.numbers = self.numbers and {}
  self:write(0, -1, {})
end

local COPIED = {
  "first",
  "count",
  "at_end",
  "next_cursor",
  "end_cursor",
  "is_open_ended",
  "proof",
  "etag",
  "total",
  "total_of",
  "filter",
  "ansi",
  "encoding",
  "compression",
  "meta",
  "is_coloured",
}

---Show lines that were read before.
---@param other forge.View the view they were in
---@param lines string[]
function View:restore(other, lines)
  for _, field in ipairs(COPIED) do
    self[field] = other[field]
  end
  self.numbers = other.numbers and vim.list_slice(other.numbers)
  self:write(0, -1, lines)
end

---Show what another view of the same file shows.
---@param other forge.View
function View:copy(other)
  self:restore(other, vim.api.nvim_buf_get_lines(other.buf, 0, -1, false))
  colours.copy(other.buf, self.buf)
  long_lines.copy(other, self)
end

---Stop what a person is waiting for.
---@return boolean whether there was anything
function View:stop()
  local cancel = self.cancel
  self.cancel = nil
  if cancel then
    cancel()
  end
  return cancel ~= nil
end

---@param row integer
---@param column? integer in bytes, from 0
---@param scroll? "zz"|"zb" where in the window the line comes
function View:put_cursor(row, column, scroll)
  local window = self:window()
  if not window then
    return
  end
  row = math.max(1, math.min(row, vim.api.nvim_buf_line_count(self.buf)))
  vim.api.nvim_win_set_cursor(window, { row, column or 0 })
  vim.api.nvim_win_call(window, function()
    vim.cmd("normal! zv" .. (scroll or ""))
  end)
end

return M
