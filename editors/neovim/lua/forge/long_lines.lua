---Lines that are too long to be shown whole: which part of them is shown, and that there is more.
local colours = require("forge.colours")

local M = {}

local marks = vim.api.nvim_create_namespace("forge.cut")

---@param bytes integer
---@return string as in `1.2 GB`
function M.size(bytes)
  for _, unit in ipairs({ { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "kB" } }) do
    if bytes >= unit[1] then
      return ("%.1f %s"):format(bytes / unit[1], unit[2])
    end
  end
  return bytes .. " bytes"
end

---@param page forge.ReadFileResult
---@return boolean whether its last line is too long for an answer
function M.is_cut(page)
  return page.truncated and not vim.endswith(page.content, "\n")
end

---@param view forge.View
---@param row integer
---@param bytes? integer how many of it are not shown
function M.mark_cut(view, row, bytes)
  local text = bytes and (" ⋯ %s more"):format(M.size(bytes)) or " ⋯ the line continues"
  vim.api.nvim_buf_set_extmark(view.buf, marks, row - 1, 0, { virt_text = { { text, "NonText" } } })
end

---@param view forge.View
---@param page forge.ReadFileResult
---@param row integer of its first line
function M.mark_clipped(view, page, row)
  for _, clipped in ipairs(page.clipped_lines or {}) do
    local index = clipped.line - page.meta.start_line + 1
    for position, line in ipairs(page.line_numbers or {}) do
      index = line == clipped.line and position or index
    end
    M.mark_cut(view, row + index - 1, clipped.omitted_bytes)
  end
end

---Show another part of a line.
---@param view forge.View
---@param row integer
---@param page forge.ReadFileResult of that line
---@param column integer its first character
function M.show_part(view, row, page, column)
  local lines, found = view:lines_of(page)
  view:write(row - 1, row, { lines[1] or "" })
  colours.show(view.buf, row - 1, found)
  M.mark_clipped(view, page, row)
  if column > 1 then
    vim.api.nvim_buf_set_extmark(view.buf, marks, row - 1, 0, {
      virt_text = { { ("⋯ from column %d: "):format(column), "NonText" } },
      virt_text_pos = "inline",
    })
  end
end

---@param view forge.View
---@param row integer
---@return integer the column of the line's first character that is shown, from 1
function M.first_column(view, row)
  local here = { row - 1, 0 }
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(view.buf, marks, here, { row - 1, -1 }, { details = true })) do
    -- The mark itself says it: Neovim uses the ids of marks again, so nothing can be kept under them.
    local column = mark[4].virt_text[1][1]:match("from column (%d+)")
    if column then
      return assert(tonumber(column))
    end
  end
  return 1
end

---@param view forge.View
---@param row integer
---@param last? integer the same row if absent
---@return boolean whether a part of one of these lines is not shown
function M.is_partial(view, row, last)
  local to = { (last or row) - 1, -1 }
  return #vim.api.nvim_buf_get_extmarks(view.buf, marks, { row - 1, 0 }, to, { limit = 1 }) > 0
end

---@param view forge.View
function M.clear(view)
  vim.api.nvim_buf_clear_namespace(view.buf, marks, 0, -1)
end

---@param from forge.View
---@param to forge.View
function M.copy(from, to)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(from.buf, marks, 0, -1, { details = true })) do
    local text = { virt_text = mark[4].virt_text, virt_text_pos = mark[4].virt_text_pos }
    vim.api.nvim_buf_set_extmark(to.buf, marks, mark[2], 0, text)
  end
end

return M
