---A large file that is about to be edited is offered as a window instead.
local config = require("forge.config")
local destination = require("forge.destination")
local messages = require("forge.messages")
local names = require("forge.names")

local M = {}

---@type table<integer, true> buffers whose file is shown in a window
local in_window = {}

---@param path string
---@return integer? its size, if it is large
local function large(path)
  local limit = config.get().large_file
  local status = limit and not path:find("^%w+://") and names.is_utf8(path) and vim.uv.fs_stat(path)
  return status and status.type == "file" and status.size > limit and status.size or nil
end

---@param bytes integer
---@return string
local function size_of(bytes)
  return bytes >= 1e9 and ("%.1f GB"):format(bytes / 1e9) or ("%.0f MB"):format(bytes / 1e6)
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

---@param path string
---@param target? forge.Target
---@param given_up? fun()
local function open_at(path, target, given_up)
  require("forge.window").open(path, {
    start = target and target.line,
    column = target and target.column,
    keeps_alternate = true, -- Not the buffer that was to be read, which would only lead here again.
    given_up = given_up,
  })
end

---Quickfix lists take no window on a file for one that shows files, and make another: use the one that is there.
---@param window integer
---@param path string
---@param target? forge.Target
local function give_back(window, path, target)
  for _, other in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local view = require("forge.view").of(vim.api.nvim_win_get_buf(other))
    if view and view.path == path and not view.filter and vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_close(window, true)
      vim.api.nvim_set_current_win(other)
      return open_at(path, target)
    end
  end
end

---@param path string
---@return boolean whether a window on it can be seen, or could before the current one was to show something else
local function is_seen(path)
  local before = vim.fn.bufnr("#")
  for buf, view in pairs(require("forge.view").all()) do
    if view.path == path and (buf == before or #vim.fn.win_findbuf(buf) > 0) then
      return true
    end
  end
  return false
end

---The buffer that was to be read is still empty. With the file's name it must not stay: `:w` would empty the file.
---@param buf integer
local function let_go(buf)
  for _, window in ipairs(vim.fn.win_findbuf(buf)) do
    pcall(vim.api.nvim_win_set_buf, window, require("forge.window").shown_before(window))
  end
  if #vim.fn.win_findbuf(buf) == 0 then
    vim.bo[buf].buftype, vim.bo[buf].modifiable = "", true -- Or it would not be read again.
    -- Lists of places may point to it.
    vim.bo[buf].buflisted = false
    vim.api.nvim_buf_delete(buf, { force = true, unload = true })
  end
end

---@param buf integer
---@param path string
---@param targets table<integer, forge.Target> by window
---@param list_window? integer
local function open_window(buf, path, targets, list_window)
  in_window[buf] = true
  if list_window and vim.api.nvim_win_is_valid(list_window) then
    give_back(list_window, path, targets[list_window])
  end
  for _, window in ipairs(vim.fn.win_findbuf(buf)) do
    vim.api.nvim_win_set_cursor(window, { 1, 0 }) -- Or Neovim would come back to this row of it.
    vim.api.nvim_win_call(window, function()
      open_at(path, targets[window], function()
        in_window[buf] = nil -- The next time it is asked again.
      end)
    end)
  end
  let_go(buf)
end

---Read a file for a plugin that wants its lines, and shows them nowhere.
---@param buf integer
---@param path string
local function load_unseen(buf, path)
  vim.cmd("silent noautocmd lockmarks keepalt keepjumps 0read ++edit " .. vim.fn.fnameescape(path))
  vim.cmd("silent noautocmd lockmarks keepjumps $delete _")
  vim.bo[buf].modified = false
  vim.api.nvim_exec_autocmds("BufReadPost", { buffer = buf })
end

---@param buf integer
---@param targets table<integer, forge.Target> by window
local function load(buf, targets)
  vim.bo[buf].buftype, vim.bo[buf].modifiable = "", true
  vim.api.nvim_buf_call(buf, function()
    vim.cmd("edit!")
  end)
  for _, window in ipairs(vim.fn.win_findbuf(buf)) do
    local target = targets[window] or { line = 1 }
    local row = math.min(target.line, vim.api.nvim_buf_line_count(buf))
    vim.api.nvim_win_set_cursor(window, { row, (target.column or 1) - 1 })
  end
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

local absence_was_told = false

---The plugin is installed, and the user wonders why nothing is asked.
---@param program string
local function tell_absence(program)
  if not absence_was_told then
    absence_was_told = true
    local text = program .. " was not found, so the file is loaded whole (:checkhealth forge)"
    later(function()
      vim.schedule(function() -- After what Neovim says about the file.
        messages.warn(text)
      end)
    end)
  end
end

---@param path string
---@return "window"|"load"|nil way nil: neither
local function chosen_way(path)
  local size, program = large(path), config.get().cmd[1]
  if not size then
    return "load"
  elseif vim.fn.executable(program) == 0 then
    tell_absence(program)
    return "load"
  end
  local question = ("%s has %s. Open a window on it, or load it whole?"):format(vim.fs.basename(path), size_of(size))
  return ({ "window", "load" })[messages.choose(question, "&Window\n&Load", 1)]
end

local watched = {} ---@type table<integer, true>

---@param buf integer
---@param path string
local function on_read(buf, path)
  local autocmd
  autocmd = vim.api.nvim_create_autocmd("BufReadCmd", {
    buffer = buf,
    callback = function()
      if vim.fn.win_gettype() == "autocmd" then
        return load_unseen(buf, path)
      end
      local has_lua_caller, list_window = debug.getinfo(2) ~= nil, made_by_list()
      vim.bo[buf].buftype = "nofile" -- Still empty: it must not be taken for the file's unsaved text.
      local was_asked_for_again = vim.v.cmdbang == 1 -- As by `:edit!`
      local is_preferred = in_window[buf] and (large(path) or is_seen(path)) and not was_asked_for_again
      local way = is_preferred and "window" or chosen_way(path)
      local arrived = destination.expect(path, has_lua_caller)
      vim.bo[buf].modifiable = false -- What is typed meanwhile would be lost.
      if way == "load" then
        in_window[buf], watched[buf] = nil, nil
        vim.api.nvim_del_autocmd(autocmd)
      end
      later(function()
        local targets = arrived()
        if not vim.api.nvim_buf_is_valid(buf) then
          return
        elseif way == "window" then
          open_window(buf, path, targets, list_window)
        elseif way == "load" then
          load(buf, targets)
        else
          let_go(buf)
        end
      end)
    end,
  })
end

---Ask when this buffer is about to be read, if its file is large and there is a user to ask.
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

---The same for a file that would otherwise be asked about, or whose window can be seen. Others are loaded as usual.
---@param path string
function M.prefer_window_if_large(path)
  if large(path) or is_seen(path) then
    M.prefer_window(path)
  end
end

return M
