---Opening a window on a file, and what makes its buffer one.
local keys = require("forge.keys")
local messages = require("forge.messages")
local roots = require("forge.roots")
local travel = require("forge.travel")
local views = require("forge.view")

local M = {}

local SCHEME = "forge://"

---@type table<string, forge.Start> where the next window on a file starts
local wanted = {}

---@param view forge.View
local function prepare(view)
  local options = vim.bo[view.buf]
  options.buftype, options.bufhidden, options.swapfile = "nofile", "hide", false
  options.undolevels, options.modifiable, options.readonly = -1, false, true
  local group = vim.api.nvim_create_augroup("forge_view_" .. view.buf, {})
  vim.api.nvim_create_autocmd({ "CursorMoved", "WinScrolled" }, {
    group = group,
    buffer = view.buf,
    callback = function()
      travel.grow(view)
    end,
  })
  vim.api.nvim_create_autocmd({ "BufEnter", "FocusGained" }, {
    group = group,
    buffer = view.buf,
    callback = function()
      roots.sync() -- A directory opened by hand is closed while nobody looks at it.
      travel.check(view)
    end,
  })
  keys.map(view)
end

---Filetype, and with it syntax and folding, as for the file itself.
---@param buf integer
---@param path string
local function detect_filetype(buf, path)
  local filetype, configure = vim.filetype.match({ filename = path, buf = buf })
  if filetype then
    vim.bo[buf].filetype = filetype
    if configure then
      configure(buf)
    end
  end
end

---Fill a `forge://` buffer.
---@param buf integer
---@param name string
function M.read(buf, name)
  local path = name:sub(#SCHEME + 1)
  local view = views.create(buf, path, function()
    detect_filetype(buf, path)
  end)
  prepare(view)
  roots.sync()
  local start = wanted[path] or views.left_at(path)
  local function failed(error)
    pcall(vim.api.nvim_buf_delete, buf, { force = true })
    messages.fail(error)
  end
  travel.go(view, start, failed)
end

---@param path string
---@return string? why it cannot be shown
local function fault(path)
  local status = vim.uv.fs_stat(path)
  if not status then
    return "there is no file " .. vim.fn.fnamemodify(path, ":~:.")
  elseif status.type ~= "file" then
    return vim.fn.fnamemodify(path, ":~:.") .. " is not a file"
  end
end

---@param view? forge.View
---@param path string
local function switch_to(view, path)
  if view then
    vim.cmd.buffer(view.buf)
  else
    vim.cmd.edit(vim.fn.fnameescape(SCHEME .. path))
  end
end

---Open a window on a file, or go there in the one that is open.
---@param path string
---@param start? forge.Start 1 if absent
function M.open(path, start)
  path = vim.fs.normalize(vim.fn.fnamemodify(path, ":p"))
  local reason = fault(path)
  if reason then
    return messages.fail({ code = "NOT_FOUND", message = reason })
  end
  local view = views.on(path)
  wanted[path] = start or 1
  local shown, refusal = pcall(switch_to, view, path)
  if not shown then -- The buffer in the way has changes, and may not be hidden.
    messages.fail({ code = "INVALID_ARGUMENT", message = tostring(refusal):match("E%d+: .*") or refusal })
  elseif view then
    roots.sync()
    travel.go(view, wanted[path])
  end
  wanted[path] = nil
end

---The file of the current buffer, be it a window on it or the file itself.
---@return string?
function M.current_file()
  local view = views.of()
  local name = view and view.path or vim.api.nvim_buf_get_name(0)
  return name ~= "" and vim.bo.buftype ~= "terminal" and name or nil
end

return M
