---Windows in Neovim's sessions: at their lines, with their filters and encodings.
local keys = require("forge.keys")
local pages = require("forge.pages")
local travel = require("forge.travel")
local views = require("forge.view")

local M = {}

---Sessions know rows of the buffer; add the file's lines to the one that was written.
function M.add()
  local found = {}
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local view = views.of(vim.api.nvim_win_get_buf(window))
    if view and view:number(1) > 0 then
      local row, column = unpack(vim.api.nvim_win_get_cursor(window))
      found[vim.api.nvim_buf_get_name(view.buf)] = {
        line = view:number(row),
        column = column,
        filter = view.filter,
        ansi = view.ansi,
        encoding = view.encoding,
        rotated = view.rotated,
      }
    end
  end
  if next(found) then
    local text = vim.inspect(found, { newline = " ", indent = "" })
    vim.fn.writefile({ ("lua require('forge.sessions').restore(%s)"):format(text) }, vim.v.this_session, "a")
  end
end

---@class forge.Remembered : forge.Place
---@field filter? forge.FilterParams
---@field ansi? "strip"
---@field encoding? string
---@field rotated? true

---Go to the lines that a session remembers.
---@param found table<string, forge.Remembered> by buffer name
function M.restore(found)
  for _, view in pairs(views.all()) do
    local place = found[vim.api.nvim_buf_get_name(view.buf)]
    if place then
      if place.filter or place.encoding or place.rotated then
        view.filter, view.ansi, view.encoding = place.filter, place.ansi, place.encoding
        view.rotated = place.rotated
        keys.map(view) -- Enter means something else with a filter.
        pages.clear(view)
      end
      travel.go(view, place.line, { column = place.column })
    end
  end
end

return M
