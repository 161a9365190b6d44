---A window on a file: some of its lines, one after the other, in a read-only buffer. `forge.travel` brings others.
local roots = require("forge.roots")

local M = {}

M.PAGE = 1000
local MOST_LINES = 5 * M.PAGE
local cut_marks = vim.api.nvim_create_namespace("forge.cut")

---@class forge.View
---@field buf integer
---@field path string Absolute.
---@field directory? string Outside every project: open to the daemon while the view can be seen.
---@field first integer The file's number of the buffer's first line; negative: counted from the end, -1 the last.
---@field count integer How many lines are in the buffer.
---@field at_end boolean The buffer's last line is the file's.
---@field next_cursor? string Where the file goes on behind them.
---@field etag? string
---@field total? integer Lines of the file, once they are counted.
---@field total_of? string The etag they were counted for.
---@field stop_counting fun()
---@field cancel? fun() Stops what is being looked for.
---@field on_filled fun() Called when its first lines are there.
---@field growing table<"down"|"up", fun(): boolean> What is being loaded beyond either end: whether it is there yet.
---@field pattern? forge.Pattern
local View = {}
View.__index = View

local views = {} ---@type table<integer, forge.View>
local left_at = {} ---@type table<string, integer>

---@param buf? integer
---@return forge.View?
function M.of(buf)
  return views[buf or vim.api.nvim_get_current_buf()]
end

---@param path string
---@return forge.View?
function M.on(path)
  for _, view in pairs(views) do
    if view.path == path then
      return view
    end
  end
end

---@param path string
---@return integer the line somebody was at before
function M.left_at(path)
  return left_at[path] or 1
end

roots.opened_by_hand = function()
  local directories = {}
  for buf, view in pairs(views) do
    if view.directory and #vim.fn.win_findbuf(buf) > 0 then
      table.insert(directories, view.directory)
    end
  end
  return directories
end

---@param buf integer
---@param path string
---@param on_filled fun()
---@return forge.View
function M.create(buf, path, on_filled)
  local directory = not roots.of(path) and vim.fs.dirname(path) or nil
  local view = setmetatable({
    buf = buf,
    path = path,
    directory = directory,
    first = 1,
    count = 0,
    at_end = true,
    growing = {},
    on_filled = on_filled,
    stop_counting = function() end,
  }, View)
  views[buf] = view
  vim.api.nvim_create_autocmd("BufUnload", {
    buffer = buf,
    once = true,
    callback = function()
      left_at[path] = view:line()
      view:stop()
      view.stop_counting()
      views[buf] = nil
    end,
  })
  return view
end

---@return boolean
function View:is_open()
  return views[self.buf] == self and vim.api.nvim_buf_is_loaded(self.buf)
end

---@param row integer in the buffer, from 1
---@return integer the file's number of that line
function View:number(row)
  return self.first + row - 1
end

---@param line integer
---@return integer? its row in the buffer
function View:row(line)
  local row = line - self.first + 1
  if row >= 1 and row <= self.count then
    return row
  end
end

---The window the person looks at it through.
---@return integer?
function View:window()
  local current = vim.api.nvim_get_current_win()
  if vim.api.nvim_win_get_buf(current) == self.buf then
    return current
  end
  return vim.fn.win_findbuf(self.buf)[1]
end

---@return integer the file's number of the line the cursor is in
function View:line()
  local window = self:window()
  return self:number(window and vim.api.nvim_win_get_cursor(window)[1] or 1)
end

---@param content string
---@return string[]
local function lines_of(content)
  local lines = vim.split(content, "\n", { plain = true })
  if lines[#lines] == "" then
    table.remove(lines)
  end
  return lines
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

---Change lines above what is seen, without it moving.
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
---@return boolean whether its last line is too long for an answer
local function is_cut(page)
  return page.truncated and not vim.endswith(page.content, "\n")
end

---@param row integer
function View:mark_cut(row)
  local text = { { " ⋯ the line goes on", "NonText" } }
  vim.api.nvim_buf_set_extmark(self.buf, cut_marks, row - 1, 0, { virt_text = text })
end

---@param page forge.ReadFileResult
function View:take_end(page)
  self.at_end, self.next_cursor = not page.truncated, page.next_cursor
  if is_cut(page) then
    self.next_cursor = nil -- It would go on inside the line; the file goes on by number.
    self:mark_cut(self.count)
  end
end

---@param page forge.ReadFileResult
function View:replace(page)
  local lines = lines_of(page.content)
  self.first, self.count, self.etag = page.meta.start_line, #lines, page.etag
  self.total = page.meta.line_count or (self.total_of == page.etag and self.total or nil)
  vim.api.nvim_buf_clear_namespace(self.buf, cut_marks, 0, -1)
  self:write(0, -1, lines)
  self:take_end(page)
end

---@param page forge.ReadFileResult
function View:append(page)
  local lines = lines_of(page.content)
  self:write(self.count, self.count == 0 and -1 or self.count, lines)
  self.count = self.count + #lines
  self:take_end(page)
  local window = self:window()
  local above = window and vim.fn.line("w0", window) - M.PAGE or 0
  local surplus = math.min(self.count - MOST_LINES, above)
  if surplus > 0 then
    self:write_above(0, surplus, {})
    self.first, self.count = self.first + surplus, self.count - surplus
  end
end

---@param page forge.ReadFileResult
function View:prepend(page)
  local lines = lines_of(page.content)
  self:write_above(0, 0, lines)
  self.first, self.count = self.first - #lines, self.count + #lines
  if is_cut(page) then
    self:mark_cut(#lines)
  end
  local window = self:window()
  local kept = math.max(MOST_LINES, window and vim.fn.line("w$", window) + M.PAGE or 0)
  if self.count > kept then
    self:write(kept, -1, {})
    self.count, self.at_end, self.next_cursor = kept, false, nil
  end
end

---Stop what is being looked for.
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
---@param center? boolean
function View:put_cursor(row, column, center)
  local window = self:window()
  if not window then
    return
  end
  row = math.max(1, math.min(row, vim.api.nvim_buf_line_count(self.buf)))
  vim.api.nvim_win_set_cursor(window, { row, column or 0 })
  vim.api.nvim_win_call(window, function()
    vim.cmd("normal! zv" .. (center and "zz" or ""))
  end)
end

return M
