---`User` events that plugins and configurations hear of.
local M = {}

---@param name "ForgeOpened"|"ForgeFollowed"|"ForgeFiltered"
---@param view forge.View
---@param more? table<string, any>
function M.fire(name, view, more)
  local data = vim.tbl_extend("force", { buf = view.buf, path = view.path, filter = view.filter }, more or {})
  vim.api.nvim_exec_autocmds("User", { pattern = name, data = data, modeline = false })
end

return M
