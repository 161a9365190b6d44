---A view of a file: some of its lines, one after the other, in a read-only buffer. `forge.loading` loads others.
local colours = require("forge.colours")
local roots = require("forge.roots")

local M = {}

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
---@field open_line? string Its last line, with its escape sequences, where that had no newline yet.
---@field proof? {cursor: string, filter?: forge.FilterParams} The daemon accepts it as long as the file only grew.
---@field etag? string
---@field total? integer Lines of the file, once they are counted.
---@field total_of? string The etag they were counted for.
---@field stop_counting fun()
---@field found? forge.Found What a search found, until its number is known.
---@field counted_matches? {etag: string, params: forge.FindParams, total: integer} Of the last search.
---@field cancel? fun() Stops what a person is waiting for.
---@field beside table<forge.Task, true> What goes on while the person reads elsewhere, as writing its lines to a file.
---@field fill? fun() Asks for its first lines, until they are there.
---@field on_filled fun() Called when its first lines are there.
---@field after_filled (fun())[] What is done then, once.
---@field on_given_up fun() Called where none ever come.
---@field is_in_new_split? boolean Its window was made for it.
---@field opened_from? integer The buffer that its window showed before.
---@field growing table<"down"|"up", true> At which ends lines are being loaded.
---@field load_again? (fun())[] The file grew while lines were being loaded at its end.
---@field is_gone? boolean The file no longer exists, which was reported.
---@field is_old? boolean Its name means another file by now, and following it is paused: what is shown stays.
---@field places? forge.Places
---@field encoding? string What the person asked for.
---@field compression? string
---@field filter? forge.FilterParams
---@field rotated? true The file and its rotated files are one text.
---@field members? forge.Member[] With `rotated`: the files.
---@field context table<integer, true> With a filter: the lines that are shown only because of others around them.
---@field gaps? integer So many seconds without a record are marked.
---@field duration? string How much time passes in the selection.
---@field earlier_filters forge.FilterParams[] Those it had before this one.
---@field origin? integer With a filter: the file's line from which its matches are counted, until it is known how many
---come before. Such numbers are below 1 for matches before it.
---@field ansi? "strip" With a filter: it sees the text without escape sequences, and so do we.
---@field asked_colours table<integer, true> With `ansi`: the lines whose colours were asked for.
---@field follow? {stop: fun(), is_started?: boolean}
---@field resumes_follow? boolean It was followed when its last window was closed.
---@field unread? forge.Followed[] What was appended while the end was shown, and has not been read yet.
---@field meta? forge.Meta Of the last window that was read.
---@field is_coloured? boolean Escape sequences were taken out of its lines.
---@field anchor? forge.Place Where the selection starts, while that line is not loaded.
---@field put_during_search? forge.Place Where the cursor was put while a search was typed.
---@field selected? {[1]: forge.Place, [2]: forge.Place, mode: string} The last selection, in the file's lines.
local View = {}
View.__index = View

---@class forge.Found
---@field params forge.FindParams What was searched for.
---@field line integer
---@field take fun(index: integer, total: integer)

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
---@param rotated? true
---@return forge.View?
function M.on(path, rotated)
  local found
  for buf, view in pairs(views) do
    if view.path == path and view.rotated == rotated and not view.filter and (not found or buf < found.buf) then
      found = view
    end
  end
  return found
end

---A file whose first lines have not come yet counts as shown, and so does one that is being copied.
roots.opened_by_hand = function()
  local paths = {}
  for buf, view in pairs(views) do
    if not view.etag or next(view.beside) or #vim.fn.win_findbuf(buf) > 0 then
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
    beside = {},
    after_filled = {},
    earlier_filters = {},
    asked_colours = {},
    context = {},
    stop_counting = function() end,
    on_filled = function() end,
    on_given_up = function() end,
  }, View)
  views[buf] = view
  return view
end

function View:close()
  self:stop()
  for task in pairs(self.beside) do
    task:abandon()
  end
  if self.follow then
    self.follow.stop()
  end
  self.stop_counting()
  if views[self.buf] == self then
    views[self.buf] = nil
  end
end

---Do something with its lines, once they are there.
---@param act fun()
function View:when_filled(act)
  if self.etag then
    act()
  else
    table.insert(self.after_filled, act)
  end
end

---@return boolean
function View:is_open()
  return views[self.buf] == self and vim.api.nvim_buf_is_loaded(self.buf)
end

---What every request about the file must say.
---@return table
function View:file_parameters()
  return { encoding = self.encoding, rotated = self.rotated }
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

---@param line integer
---@return integer row of the first match from a line on, or the last row
function View:first_match_from(line)
  for row = 1, self.count do
    local number = self:number(row)
    if number == line or number > line and not self.context[number] then
      return row
    end
  end
  return self.count
end

---@return boolean whether the buffer's first line is the first one that counts
function View:starts_with_first()
  return self.first == 1 and not self.origin
end

---@return boolean whether the file's numbers of its lines are known
function View:is_numbered()
  return self.numbers ~= nil or self.first > 0
end

---@return boolean whether there are lines before those that are loaded, and they can be asked for
function View:has_lines_above()
  return self.origin ~= nil or self.first > 1
end

---@return forge.FilterParams? the filter that windows are asked for with
function View:window_filter()
  return self.origin and self:filter_within({ first_line = self.origin }) or self.filter
end

---@param limits {first_line?: integer, last_line?: integer}
---@return forge.FilterParams its filter, for a part of the file
function View:filter_within(limits)
  return vim.tbl_extend("force", self.filter, limits)
end

---@return integer? the number of the last line, of all or of those that match, if it is known
function View:last_line()
  local last = self.filter and self.at_end and self:number(self.count) or not self.filter and self.total
  return last and last > 0 and last or nil
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

---@return integer? column the one that a motion to another line keeps; nil: where that line's text starts
function View:kept_column()
  return not vim.o.startofline and self:place().column or nil
end

---@return boolean whether its lines are not simply those of the file's bytes
function View:is_transformed()
  return self.compression ~= nil or self.filter ~= nil or self.rotated ~= nil
end

---@param page forge.ReadFileResult
---@param open_line? string what the first line continues
---@return string[] lines without escape sequences
---@return table<integer, forge.Span[]>? colours
---@return string? open_line the last line, with its sequences, where it has no newline
function View:lines_of(page, open_line)
  local lines = vim.split(page.content, "\n", { plain = true })
  local is_open_ended = lines[#lines] ~= ""
  if not is_open_ended then
    table.remove(lines)
  end
  if open_line and #lines > 0 then
    lines[1] = open_line .. lines[1]
  end
  open_line = is_open_ended and lines[#lines] or nil
  local found = colours.take_out(lines)
  self.is_coloured = self.is_coloured or found ~= nil
  return lines, found, open_line
end

---What is marked in lines, which Neovim would keep where they are removed.
local NAMESPACES = {
  "forge.colours",
  "forge.cut",
  "forge.find",
  "forge.context",
  "forge.members",
  "forge.gaps",
  "forge.header",
  "forge.levels",
}
local MARKS = vim.tbl_map(vim.api.nvim_create_namespace, NAMESPACES)

---@param from integer
---@param to integer
---@param lines string[]
function View:write(from, to, lines)
  local options = vim.bo[self.buf]
  for _, namespace in ipairs(from ~= to and MARKS or {}) do
    vim.api.nvim_buf_clear_namespace(self.buf, namespace, from, to)
  end
  options.modifiable, options.readonly = true, false
  vim.api.nvim_buf_set_lines(self.buf, from, to, false, lines)
  options.modifiable, options.readonly, options.modified = false, true, false
end

---@return integer[] windows whose cursor is on the last line
function View:windows_at_end()
  return vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_cursor(window)[1] >= math.max(1, self.count)
  end, vim.fn.win_findbuf(self.buf))
end

---@return boolean whether new lines are awaited, and the cursor is not where they come
function View:is_paused()
  return self.follow ~= nil and (self.is_old or not self.at_end or #self:windows_at_end() == 0)
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

---In every window that shows it, as none of the lines they were at is there any more.
---@param row integer
---@param column? integer in bytes, from 0
---@param scroll? "zt"|"zz"|"zb" where in the window the line comes
function View:put_cursors(row, column, scroll)
  for _, window in ipairs(vim.fn.win_findbuf(self.buf)) do
    self:put_cursor(row, column, scroll, window)
  end
end

---@param row integer
---@param column? integer in bytes, from 0; where the line's text starts if absent
---@param scroll? "zt"|"zz"|"zb" where in the window the line comes
---@param window? integer
function View:put_cursor(row, column, scroll, window)
  window = window or self:window()
  if not window then
    return
  end
  row = math.max(1, math.min(row, vim.api.nvim_buf_line_count(self.buf)))
  column = column or #vim.api.nvim_buf_get_lines(self.buf, row - 1, row, true)[1]:match("^%s*")
  if window == vim.api.nvim_get_current_win() and vim.fn.getcmdtype():find("[/?]") then
    self.put_during_search = { line = self:number(row), column = column }
  end
  vim.api.nvim_win_set_cursor(window, { row, column })
  vim.api.nvim_win_call(window, function()
    vim.cmd("normal! zv" .. (scroll or ""))
    if scroll == "zz" and vim.fn.line("w$") == vim.fn.line("$") and vim.fn.line("w0") > 1 then
      vim.cmd("keepjumps normal! Gzb") -- No empty rows below the last line.
      vim.api.nvim_win_set_cursor(window, { row, column })
    end
  end)
end

return M
