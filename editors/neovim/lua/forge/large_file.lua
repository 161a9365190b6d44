---A large file that is about to be edited is offered as a window instead.
local config = require("forge.config")

local M = {}

---The most lines a placeholder gets: they take 50 MB for a moment.
local MOST_ROWS = 10 * 1000 * 1000
local SAMPLE_BYTES = 64 * 1024

---@type table<integer, true> buffers whose file is shown in a window
local in_window = {}

---@param path string
---@return integer? its size, if it is large
local function large(path)
  local limit = config.get().large_file
  local status = limit and not path:find("^%w+://") and vim.uv.fs_stat(path)
  return status and status.type == "file" and status.size > limit and status.size or nil
end

---@param bytes integer
---@return string
local function size_of(bytes)
  return bytes >= 1e9 and ("%.1f GB"):format(bytes / 1e9) or ("%.0f MB"):format(bytes / 1e6)
end

---@param path string
---@return integer about as many lines as it has, or more
local function estimated_lines(path)
  local file = io.open(path, "rb")
  local sample = file and file:read(SAMPLE_BYTES) or ""
  if file then
    file:close()
  end
  local _, lines = sample:gsub("\n", "")
  local size = large(path) or #sample
  return math.ceil(1.5 * size * lines / math.max(1, #sample)) + 1000
end

---The furthest line that somebody may be about to go to, as far as that can be known.
---@param buf integer
---@param path string
---@param has_lua_caller boolean a picker, which sets the cursor next
---@return integer
local function furthest_target(buf, path, has_lua_caller)
  if has_lua_caller then
    return estimated_lines(path)
  end
  local furthest = 1
  local function consider(line)
    furthest = math.max(furthest, tonumber(line) or 1)
  end
  for _, list in ipairs({ vim.fn.getqflist(), vim.fn.getloclist(0) }) do
    for _, item in ipairs(list) do
      if item.bufnr == buf then
        consider(item.lnum)
      end
    end
  end
  for _, argument in ipairs(vim.v.vim_did_enter == 0 and vim.v.argv or {}) do
    consider(argument:match("^%+(%d+)$"))
  end
  consider(vim.fn.histget(":", -1):match("%+(%d+)"))
  return furthest
end

---Whoever opened the file puts the cursor on a line next, which must be there: empty, until the window takes its place.
---@param rows integer
local function add_rows(rows)
  if rows < 2 then
    return
  end
  -- Neovim reads a file faster than a list. Marks are locked, or lists of places would move with the lines.
  local path = vim.fn.tempname()
  local file = assert(io.open(path, "wb"))
  file:write(("\n"):rep(math.min(rows, MOST_ROWS)))
  file:close()
  vim.bo.undolevels = -1
  vim.cmd("silent noautocmd lockmarks keepalt keepjumps 0read " .. vim.fn.fnameescape(path))
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.bo.modified = false
  vim.uv.fs_unlink(path)
end

---@param window integer
---@return forge.Opening
local function opening_of(window)
  local row, column = unpack(vim.api.nvim_win_get_cursor(window))
  return { start = row > 1 and row or nil, column = row > 1 and column + 1 or nil }
end

local newest ---@type integer? the window that was made a moment ago

vim.api.nvim_create_autocmd("WinNew", {
  group = vim.api.nvim_create_augroup("forge_large_file", {}),
  callback = function()
    newest = vim.api.nvim_get_current_win()
    vim.schedule(function()
      newest = nil
    end)
  end,
})

---@return integer? window the current one, if a quickfix list just made it
local function made_by_list()
  local previous = vim.fn.win_gettype(vim.fn.winnr("#"))
  local is_list = previous == "quickfix" or previous == "loclist"
  return is_list and newest == vim.api.nvim_get_current_win() and newest or nil
end

---Quickfix lists take no window on a file for one that shows files, and make another: use the one that is there.
---@param window integer
---@param path string
local function give_back(window, path)
  for _, other in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local view = require("forge.view").of(vim.api.nvim_win_get_buf(other))
    if view and view.path == path and not view.filter and vim.api.nvim_win_is_valid(window) then
      local opening = opening_of(window)
      vim.api.nvim_win_close(window, true)
      vim.api.nvim_set_current_win(other)
      return require("forge.window").open(path, opening)
    end
  end
end

---@param buf integer
---@param path string
---@param list_window? integer
local function open_window(buf, path, list_window)
  if not vim.api.nvim_buf_is_valid(buf) then
    return
  end
  in_window[buf] = true
  if list_window then
    give_back(list_window, path)
  end
  for _, window in ipairs(vim.fn.win_findbuf(buf)) do
    local opening = opening_of(window)
    vim.api.nvim_win_call(window, function()
      require("forge.window").open(path, opening)
    end)
  end
  vim.bo[buf].buftype = "" -- Or it would not be read again.
  if #vim.fn.win_findbuf(buf) == 0 then
    -- Lists of places may point to it.
    vim.bo[buf].buflisted = false
    vim.api.nvim_buf_delete(buf, { force = true, unload = true })
  end
end

---@param buf integer
local function load(buf)
  vim.bo[buf].buftype = ""
  vim.api.nvim_buf_call(buf, function()
    vim.cmd.edit()
  end)
end

---Buffers cannot be exchanged while one of them is being read, nor while Neovim still opens files side by side.
---@param act fun()
local function later(act)
  if vim.v.vim_did_enter == 1 then
    vim.schedule(act)
  else
    vim.api.nvim_create_autocmd("VimEnter", { once = true, callback = vim.schedule_wrap(act) })
  end
end

---@param path string
---@return boolean
local function wants_window(path)
  local size = large(path)
  if not size or vim.fn.executable(config.get().cmd[1]) == 0 then
    return false
  end
  local question = ("%s has %s. Open a window on it, or load it whole?"):format(vim.fs.basename(path), size_of(size))
  local answer = vim.fn.confirm(question, "&Window\n&Load", 1)
  vim.cmd("redraw!") -- Otherwise whatever is said next makes Neovim ask for Enter.
  return answer ~= 2
end

---@param buf integer
---@param path string
local function on_read(buf, path)
  local autocmd
  autocmd = vim.api.nvim_create_autocmd("BufReadCmd", {
    buffer = buf,
    callback = function()
      local has_lua_caller, list_window = debug.getinfo(2) ~= nil, made_by_list()
      vim.bo[buf].buftype = "nofile" -- Empty as it still is, nobody must take it for the file's unsaved text.
      if in_window[buf] or wants_window(path) then
        add_rows(furthest_target(buf, path, has_lua_caller))
        later(function()
          open_window(buf, path, list_window)
        end)
      else
        vim.api.nvim_del_autocmd(autocmd)
        later(function()
          load(buf)
        end)
      end
    end,
  })
end

local watched = {} ---@type table<integer, true>

---Ask when this buffer is about to be read, if its file is large and somebody is there to be asked.
---@param buf integer
function M.watch(buf)
  local path = vim.api.nvim_buf_get_name(buf)
  if path == "" or vim.api.nvim_buf_is_loaded(buf) or #vim.api.nvim_list_uis() == 0 or not large(path) then
    return
  end
  watched[buf] = true
  on_read(buf, path)
end

---Open a window on this file whenever it is about to be read, as from a quickfix list, without asking.
---@param path string
function M.prefer_window(path)
  local buf = vim.fn.bufadd(path)
  if vim.api.nvim_buf_is_loaded(buf) then
    return -- It is being edited; lists lead there.
  end
  in_window[buf] = true
  if not watched[buf] then
    watched[buf] = true
    on_read(buf, path)
  end
end

return M
