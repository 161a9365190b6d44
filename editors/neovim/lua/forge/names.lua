---Names of files, which are sent and answered in JSON: Neovim has no place in it for bytes that are not UTF-8.
local M = {}

---@param path string
---@return boolean
function M.is_utf8(path)
  return vim.fn.list2str(vim.fn.str2list(path)) == path
end

return M
