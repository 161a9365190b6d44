---Neovim's own line of tab pages, but that windows are called after their files.
local filters = require("forge.filters")
local views = require("forge.view")

local M = {}

---@param buf integer
---@return string
local function label(buf)
  local view, name = views.of(buf), vim.api.nvim_buf_get_name(buf)
  if view then
    local filter = view.filter and (" (%s)"):format(filters.describe(view.filter)) or ""
    return vim.fs.basename(view.path) .. filter
  end
  return name == "" and "[No Name]" or vim.fn.pathshorten(vim.fn.fnamemodify(name, ":~:."))
end

---@param tab integer
---@return string
local function page(tab)
  local windows = vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_config(window).relative == ""
  end, vim.api.nvim_tabpage_list_wins(tab))
  local is_modified = vim.iter(windows):any(function(window)
    return vim.bo[vim.api.nvim_win_get_buf(window)].modified
  end)
  local flags = (#windows > 1 and tostring(#windows) or "") .. (is_modified and "+" or "")
  local name = label(vim.api.nvim_win_get_buf(vim.api.nvim_tabpage_get_win(tab)))
  local group = tab == vim.api.nvim_get_current_tabpage() and "%#TabLineSel#" or "%#TabLine#"
  local text = (flags == "" and " " or (" %s "):format(flags)) .. name .. " "
  return ("%s%%%dT%s"):format(group, vim.api.nvim_tabpage_get_number(tab), (text:gsub("%%", "%%%%")))
end

---@return string
function M.show()
  local tabs = vim.tbl_map(page, vim.api.nvim_list_tabpages())
  return table.concat(tabs) .. "%#TabLineFill#%T%=" .. (#tabs > 1 and "%#TabLine#%999XX" or "")
end

return M
