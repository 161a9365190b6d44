---The file's line numbers, where Neovim would show the buffer's: beside the lines, and in the statusline.
local filters = require("forge.filters")
local long_lines = require("forge.long_lines")
local messages = require("forge.messages")
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
  if not view.etag then
    return "reading …"
  end
  local line = view.count == 0 and 0 or view:number(row)
  if view.filter then
    local ordinal = view.count == 0 and 0 or view:ordinal(row)
    local total = view.total and M.grouped(math.max(view.total, ordinal)) or "…"
    local noun = filters.matches_lines(view.filter) and "match" or "line"
    return ("%s, %s %s / %s"):format(M.grouped(line), noun, view.origin and "…" or M.grouped(ordinal), total)
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
    table.insert(found, filters.describe(view.filter))
  end
  if view.duration then
    table.insert(found, view.duration)
  end
  if view.rotated then
    local files = #(view.members or {})
    table.insert(found, files == 1 and "1 file" or ("%d files"):format(files))
  end
  if view.meta and view.meta.encoding ~= "utf-8" then
    table.insert(found, view.meta.encoding)
  end
  if view.compression then
    table.insert(found, view.compression)
  end
  local follow = view.follow and require("forge.follow").state(view)
  if view.is_old then
    follow = follow and follow .. ", old file" or "old file"
  end
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
---@field rotated? true
---@field duration? string
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
    filter = view.filter and filters.describe(view.filter),
    rotated = view.rotated,
    duration = view.duration,
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
  if vim.go.tabline == "" then
    vim.go.tabline = "%!v:lua.require'forge.tabline'.show()"
  end
  local usual = vim.api.nvim_get_option_info2("statusline", {}).default
  if vim.go.statusline == usual and vim.list_contains({ "", usual }, vim.wo[window].statusline) then
    options.statusline = STATUSLINE
  end
end

---Where one is in the file, as CTRL-G tells it.
---@param view forge.View
function M.tell_figures(view)
  local status = vim.uv.fs_stat(view.path)
  local row = vim.fn.line(".")
  local line = view:ordinal(row)
  local first = long_lines.first_column(view, row)
  local column = first == 1 and vim.fn.col(".") or first - 1 + vim.fn.charcol(".")
  local share = view.total and line > 0 and (" --%d%%--"):format(100 * line / math.max(1, view.total)) or ""
  local name = vim.fn.fnamemodify(view.path, ":~:.")
  local size = status and long_lines.size(status.size) or "no longer there"
  messages.tell(("%q %s%s col %d, %s"):format(name, M.statusline(), share, column, size))
end

return M
