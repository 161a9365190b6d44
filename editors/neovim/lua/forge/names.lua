---Names of files, and of the buffers of windows on them.
local M = {}

local SCHEME = "forge://"

---Each window has a buffer of its own: `forge:///var/log/syslog`, `forge://2/var/log/syslog`, and with a filter
---`forge://filter/var/log/syslog`; with its rotated files `forge://rotated/var/log/syslog`.
---@param path string
---@param kind? string|integer
---@return string
function M.of_buffer(path, kind)
  local is_rooted = vim.startswith(path, "/")
  return ("%s%s%s%s"):format(SCHEME, kind or "", (kind and not is_rooted) and "/" or "", path)
end

---@param name string of a window's buffer, or of a file
---@return string path
function M.path_of(name)
  if not vim.startswith(name, SCHEME) then
    return name
  end
  local path = name:sub(#SCHEME + 1):match("^%w*(/.*)$") or name:sub(#SCHEME + 1)
  return path:match("^/(%a:/.*)$") or path
end

---@param name string of a window's buffer
---@return boolean whether it shows a file with its rotated files
function M.is_rotated(name)
  return vim.startswith(name, SCHEME .. "rotated")
end

---Names are sent in JSON, and Neovim has no place in it for bytes that are not UTF-8.
---@param path string
---@return boolean
function M.is_utf8(path)
  return vim.fn.list2str(vim.fn.str2list(path)) == path
end

return M
