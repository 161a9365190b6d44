---Lines in the colour of their record's level, where the log has no colours of its own.
local M = {}

local marks = vim.api.nvim_create_namespace("forge.levels")
local GROUPS = {
  trace = "ForgeDebug",
  debug = "ForgeDebug",
  warning = "ForgeWarning",
  error = "ForgeError",
  critical = "ForgeError",
}

vim.api.nvim_set_hl(0, "ForgeDebug", { link = "Comment", default = true })
vim.api.nvim_set_hl(0, "ForgeWarning", { link = "DiagnosticWarn", default = true })
vim.api.nvim_set_hl(0, "ForgeError", { link = "DiagnosticError", default = true })

---@param view forge.View
---@param records forge.LineRecord[] of the lines that can be seen
function M.show(view, records)
  if view.is_coloured or vim.b[view.buf].current_syntax then
    return
  end
  for _, record in ipairs(records) do
    local row = view:row(record.line)
    if row then
      vim.api.nvim_buf_clear_namespace(view.buf, marks, row - 1, row)
    end
    local group = row and not view.context[record.line] and GROUPS[record.level]
    if group then
      local length = #vim.api.nvim_buf_get_lines(view.buf, row - 1, row, true)[1]
      vim.api.nvim_buf_set_extmark(view.buf, marks, row - 1, 0, { end_col = length, hl_group = group, priority = 80 })
    end
  end
end

return M
