---A large file that is about to be edited is offered as a window instead.
local config = require("forge.config")

local M = {}

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

---@param buf integer
---@param path string
local function open_window(buf, path)
  require("forge.window").open(path)
  if vim.api.nvim_get_current_buf() ~= buf then
    vim.api.nvim_buf_delete(buf, { force = true })
  else
    vim.bo[buf].buftype = ""
  end
end

---@param buf integer
local function load(buf)
  vim.bo[buf].buftype = ""
  vim.api.nvim_buf_call(buf, function()
    vim.cmd.edit()
  end)
end

---@param path string
---@return boolean
local function wants_window(path)
  local size = large(path)
  if not size or vim.fn.executable(config.get().cmd[1]) == 0 then
    return false
  end
  local question = ("%s has %s. Open a window on it, or load it whole?"):format(vim.fs.basename(path), size_of(size))
  return vim.fn.confirm(question, "&Window\n&Load", 1) ~= 2
end

---Ask when this buffer is about to be read, if its file is large and somebody is there to be asked.
---@param buf integer
function M.watch(buf)
  local path = vim.api.nvim_buf_get_name(buf)
  if path == "" or vim.api.nvim_buf_is_loaded(buf) or #vim.api.nvim_list_uis() == 0 or not large(path) then
    return
  end
  vim.api.nvim_create_autocmd("BufReadCmd", {
    buffer = buf,
    once = true,
    callback = function()
      vim.bo[buf].buftype = "nofile" -- Empty as it still is, nobody must take it for the file's unsaved text.
      local act = wants_window(path) and open_window or load
      -- Buffers cannot be exchanged while one of them is being read.
      vim.schedule(function()
        act(buf, path)
      end)
    end,
  })
end

return M
