---What is selected in a view, while its lines come and go.
local M = {}

---@param view forge.View
---@return boolean whether text is being selected in it
local function is_selecting(view)
  return vim.api.nvim_get_current_buf() == view.buf and vim.fn.mode():find("^[vV\22]") ~= nil
end

---@param view forge.View
---@return forge.Place? where the selection starts
function M.start(view)
  if is_selecting(view) then
    return view.anchor or { line = view:number(vim.fn.line("v")), column = vim.fn.col("v") - 1 }
  end
end

---Neovim does not move the start of a selection with its line.
---@param view forge.View
---@param start? forge.Place
function M.restore(view, start)
  view.anchor = nil
  if not start or not is_selecting(view) then
    return
  end
  local row, column = view:row(start.line), start.column
  if not row then
    local is_above = start.line < view:number(1)
    view.anchor = start
    row, column = is_above and 1 or view.count, is_above and 0 or vim.v.maxcol
  end
  local cursor = vim.api.nvim_win_get_cursor(0)
  vim.cmd.normal({ "o", bang = true })
  vim.api.nvim_win_set_cursor(0, { math.max(1, row), column })
  vim.cmd.normal({ "o", bang = true })
  vim.api.nvim_win_set_cursor(0, cursor)
end

---A selection begins or ends: remember what is selected, in the file's lines.
---@param view forge.View
---@param old string
---@param new string
function M.on_mode_changed(view, old, new)
  local selecting = "^[vV\22]"
  if old:find(selecting) and not new:find(selecting) then
    local first = { line = view:number(vim.fn.line("'<")), column = vim.fn.col("'<") - 1 }
    local last = { line = view:number(vim.fn.line("'>")), column = vim.fn.col("'>") - 1 }
    if view.anchor then
      if view.anchor.line < view:number(1) then
        first = view.anchor
      else
        last = view.anchor
      end
    end
    view.selected = { first, last, mode = old:sub(1, 1) }
  end
  if new:find("^n") then
    view.anchor = nil
  end
end

return M
