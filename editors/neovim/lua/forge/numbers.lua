---The file's line numbers, where Neovim would show the buffer's: beside the lines, and in the statusline.
local views = require("forge.view")

local M = {}

local COLUMN = "%C%s%=%{v:lua.require'forge.numbers'.beside_line()} "
local STATUSLINE = "%<%{v:lua.require'forge.numbers'.name()} %h%=%{v:lua.require'forge'.statusline()} "

---@param number integer
---@return string with commas: 1,204,113
function M.grouped(number)
  local digits = ("%d"):format(number):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (digits:gsub("^(-?),", "%1"))
end

---For the statuscolumn: the number of the line that is being drawn.
---@return string
function M.beside_line()
  local view = views.of()
  if not view or vim.v.virtnum ~= 0 or view.count == 0 then
    return ""
  end
  if vim.wo.relativenumber and vim.v.relnum > 0 then
    return tostring(vim.v.relnum)
  end
  return ("%d"):format(view:number(vim.v.lnum))
end

---@return string
function M.name()
  local view = views.of()
  return view and vim.fn.fnamemodify(view.path, ":~:.") or ""
end

---Where one is in the file: `1,204,113 / 13,400,000`. Empty outside of windows.
---@return string
function M.statusline()
  local view = views.of(vim.api.nvim_win_get_buf(vim.g.statusline_winid or 0))
  if not view then
    return ""
  end
  local line = view.count == 0 and 0 or view:number(vim.fn.line("."))
  return ("%s / %s"):format(M.grouped(line), view.total and M.grouped(view.total) or "…")
end

---@param window integer
function M.show_in(window)
  local options = vim.wo[window][0]
  options.statuscolumn = COLUMN
  if vim.go.statusline == vim.api.nvim_get_option_info2("statusline", {}).default then
    options.statusline = STATUSLINE
  end
end

return M
