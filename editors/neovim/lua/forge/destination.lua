---Where the caller that opens a large file goes next. It puts the cursor on a line of a buffer that is still empty;
---that line is kept for the window that takes the buffer's place.
local messages = require("forge.messages")

local M = {}

---The most rows a buffer gets for callers of whom nothing is known: about a tenth of a second.
local MOST_ROWS = 1000 * 1000
local SAMPLE_BYTES = 64 * 1024

---A line, and a column from 1.
---@class forge.Target
---@field line integer
---@field column? integer

---@param path string
---@return integer about as many lines as it has, or more
local function estimated_lines(path)
  local file = io.open(path, "rb")
  local sample = file and file:read(SAMPLE_BYTES) or ""
  local size = file and file:seek("end") or 0
  if file then
    file:close()
  end
  local _, lines = sample:gsub("\n", "")
  return math.ceil(1.5 * size * lines / math.max(1, #sample)) + 1000
end

---@param add fun(line: any, column?: integer)
---@param buf integer
local function add_list_entries(add, buf)
  local current = { idx = 0, items = true } -- A list is at its entry before the file of that is read.
  for _, list in ipairs({ vim.fn.getqflist(current), vim.fn.getloclist(0, current) }) do
    local item = (list.items or {})[list.idx]
    if item and item.bufnr == buf then
      add(item.lnum, item.col)
    end
  end
end

---As in `nvim +1000 file`, `nvim "+call cursor(1000, 1)" file` and `nvim -c 1000 file`.
---@param add fun(line: any)
local function add_arguments(add)
  for index, argument in ipairs(vim.v.vim_did_enter == 0 and vim.v.argv or {}) do
    if argument:find("^%+") or vim.v.argv[index - 1] == "-c" then
      add(argument:match("%d+"))
    end
  end
end

---The line that `gF` goes to stands after the name, in the buffer it was typed in.
---@param add fun(line: any)
---@param path string
local function add_number_after_name(add, path)
  local before = vim.fn.getbufinfo(vim.fn.bufnr("#"))[1]
  local text = before and vim.fn.getbufline(before.bufnr, before.lnum)[1] or ""
  add(text:match(vim.pesc(vim.fs.basename(path)) .. "%D*(%d+)"))
end

---@param buf integer
---@param path string
---@return forge.Target[] lines that may be gone to, each once, the furthest first
local function targets(buf, path)
  local found, known = {}, {} ---@type forge.Target[], table<integer, true>
  local function add(line, column)
    line = tonumber(line)
    if line and line > 1 and not known[line] then
      known[line] = true
      table.insert(found, { line = line, column = column and column > 0 and column or nil })
    end
  end
  add_list_entries(add, buf)
  add_arguments(add)
  add(vim.fn.histget(":", -1):match("%+(%d+)"))
  add_number_after_name(add, path)
  table.sort(found, function(one, other)
    return one.line > other.line
  end)
  return found
end

---@param rows integer
local function add_rows(rows)
  if rows < 2 then
    return
  end
  -- Neovim reads a file faster than a list. Marks are locked, or lists of places would move with the lines.
  local path = vim.fn.tempname()
  local file = assert(io.open(path, "wb"))
  file:write(("\n"):rep(rows - 1))
  file:close()
  local undo_levels = vim.bo.undolevels
  vim.bo.undolevels = -1
  vim.cmd("silent noautocmd lockmarks keepalt keepjumps 0read " .. vim.fn.fnameescape(path))
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.bo.undolevels, vim.bo.modified = undo_levels, false
  vim.uv.fs_unlink(path)
  -- `:read` made a buffer of that name, which `:oldfiles` would list.
  vim.cmd("silent! noautocmd bwipeout! " .. vim.fn.bufnr(path))
end

local expected = {} ---@type table<integer, table<integer, forge.Target>> where cursors were put, by buffer and window
local set_cursor = vim.api.nvim_win_set_cursor

---Pickers put the cursor there by Neovim's function, which raises an error where there is no such row.
---@param window integer
---@param position {[1]: integer, [2]: integer}
local function take_cursor(window, position)
  local shown = vim.api.nvim_win_get_buf(window)
  if expected[shown] then
    local id = window == 0 and vim.api.nvim_get_current_win() or window
    expected[shown][id] = { line = position[1], column = position[2] + 1 }
    position = { math.min(position[1], vim.api.nvim_buf_line_count(shown)), 0 }
  end
  set_cursor(window, position)
end

---@param buf integer
local function listen_for_cursor(buf)
  if next(expected) == nil then
    set_cursor = vim.api.nvim_win_set_cursor
    rawset(vim.api, "nvim_win_set_cursor", take_cursor)
  end
  expected[buf] = {}
end

---@param buf integer
local function stop_listening(buf)
  expected[buf] = nil
  if next(expected) == nil and vim.api.nvim_win_set_cursor == take_cursor then
    rawset(vim.api, "nvim_win_set_cursor", set_cursor)
  end
end

---Prepare the current buffer for a caller that will set the cursor.
---@param path string
---@param has_lua_caller boolean a picker, for example
---@return fun(): table<integer, forge.Target> arrived where the cursors of its windows were put, which has been done
function M.expect(path, has_lua_caller)
  local buf = vim.api.nvim_get_current_buf()
  local found = targets(buf, path)
  -- Who comes to the last row means the furthest line: giving it as many rows would take time.
  local furthest, second = found[1], found[2]
  local rows = furthest and (second and second.line or 1) + 1 or 1
  if has_lua_caller then
    rows = math.max(rows, math.min(estimated_lines(path), MOST_ROWS))
  end
  add_rows(rows)
  listen_for_cursor(buf)
  return function()
    local set = expected[buf]
    stop_listening(buf)
    for _, window in ipairs(vim.fn.win_findbuf(buf)) do
      local row, column = unpack(vim.api.nvim_win_get_cursor(window))
      if not set[window] and row > 1 then
        local is_furthest = row == rows and furthest and furthest.line > row
        set[window] = is_furthest and furthest or { line = row, column = column + 1 }
        if row == MOST_ROWS and not is_furthest then
          messages.warn("the line to go to is not known; :{line} goes there")
        end
      end
    end
    return set
  end
end

return M
