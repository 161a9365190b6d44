---The file's line numbers, where Neovim would show the buffer's: beside the lines, and in the statusline.
local views = require("forge.view")

local M = {}

local COLUMN = "%C%s%=%{v:lua.require'forge.numbers'.beside_line()}"
local STATUSLINE = "%<%{v:lua.require'forge.numbers'.name()} %h%=%{v:lua.require'forge'.statusline()} "

local RULER = "%%%d(%%=%%{v:lua.require'forge.numbers'.position()}%%)"
local RULER_WIDTH = 25

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
  if not view or view.count == 0 or not (vim.wo.number or vim.wo.relativenumber) then
    return ""
  elseif vim.v.virtnum ~= 0 then
    return " "
  elseif vim.wo.relativenumber and (vim.v.relnum > 0 or not vim.wo.number) then
    return vim.v.relnum .. " "
  end
  return ("%d "):format(view:number(vim.v.lnum))
end

---@return string
function M.name()
  local view = views.of()
  return view and vim.fn.fnamemodify(view.path, ":~:.") or ""
end

---Where a view is in the file, as in `1,204,113 / 13,400,000`.
---@param view forge.View
---@param row integer
---@return string
local function position(view, row)
  local line = view.count == 0 and 0 or view:number(row)
  if view.filter then
    local ordinal = view.count == 0 and 0 or view:ordinal(row)
    local total = view.total and M.grouped(math.max(view.total, ordinal)) or "…"
    return ("%s, match %s / %s"):format(M.grouped(line), M.grouped(ordinal), total)
  end
  local total = view.total and math.max(view.total, line)
  return ("%s / %s"):format(M.grouped(line), total and M.grouped(total) or "…")
end

---What is special about a view, as in `following`.
---@param view forge.View
---@return string[]
local function specials(view)
  local found = {}
  if view.filter then
    table.insert(found, (view.filter.invert and "not " or "only ") .. view.filter.pattern)
  end
  if view.meta and view.meta.encoding ~= "utf-8" then
    table.insert(found, view.meta.encoding)
  end
  if view.compression then
    table.insert(found, view.compression)
  end
  local follow = view.follow and require("forge.follow").state(view)
  if follow then
    table.insert(found, follow)
  end
  return found
end

---For the ruler, which is shown where there is no statusline.
---@return string
function M.position()
  local view = views.of()
  return view and position(view, vim.fn.line(".")) or ""
end

---Empty outside of windows on files.
---@return string
function M.statusline()
  local view = views.of(vim.api.nvim_win_get_buf(vim.g.statusline_winid or 0))
  if not view then
    return ""
  end
  return table.concat(vim.list_extend(specials(view), { position(view, vim.fn.line(".")) }), "  ")
end

---What statusline plugins may show, in `vim.b.forge`.
---@class forge.Published
---@field path string
---@field line integer
---@field total? integer
---@field position string
---@field encoding? string
---@field filter? string
---@field follow? "following"|"paused"

---@param view forge.View
function M.publish(view)
  local window = view:window()
  if not window then
    return
  end
  local row = vim.api.nvim_win_get_cursor(window)[1]
  vim.b[view.buf].forge = {
    path = view.path,
    line = view.count == 0 and 0 or view:number(row),
    total = view.total,
    position = position(view, row),
    encoding = view.meta and view.meta.encoding,
    filter = view.filter and view.filter.pattern,
    follow = view.follow and require("forge.follow").state(view),
  }
end

---The ruler is the same for all windows; one of the user's own stays.
function M.choose_ruler()
  local is_view = views.of() ~= nil
  local is_ours = vim.go.rulerformat:find("forge.numbers", 1, true) ~= nil
  if is_view and vim.go.rulerformat == "" then
    vim.go.rulerformat = RULER:format(math.min(RULER_WIDTH, math.floor(vim.o.columns / 2)))
  elseif not is_view and is_ours then
    vim.go.rulerformat = ""
  end
end

---@param window integer
function M.show_in(window)
  local options = vim.wo[window][0]
  if options.statuscolumn ~= COLUMN then -- If 'nonumber' is set later, the user means it.
    options.statuscolumn, options.number = COLUMN, true
  end
  local usual = vim.api.nvim_get_option_info2("statusline", {}).default
  if vim.go.statusline == usual and vim.list_contains({ "", usual }, vim.wo[window].statusline) then
    options.statusline = STATUSLINE
  end
end

return M
