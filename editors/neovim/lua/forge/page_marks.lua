---What is marked in the lines of a page: those that are only context, and where a file of a rotated set begins.
local M = {}

local context_marks = vim.api.nvim_create_namespace("forge.context")
local member_marks = vim.api.nvim_create_namespace("forge.members")

vim.api.nvim_set_hl(0, "ForgeContext", { link = "Comment", default = true })
vim.api.nvim_set_hl(0, "ForgeMember", { link = "Title", default = true })

---@param view forge.View
---@param row integer
local function mark_context(view, row)
  vim.api.nvim_buf_set_extmark(view.buf, context_marks, row - 1, 0, { line_hl_group = "ForgeContext" })
end

---@param view forge.View
---@param member forge.Member
---@param row integer
local function mark_member(view, member, row)
  local size = require("forge.long_lines").size(member.byte_length)
  local text = ("── %s (%s) ──"):format(vim.fs.basename(member.path), size)
  vim.api.nvim_buf_set_extmark(view.buf, member_marks, row - 1, 0, {
    virt_lines = { { { text, "ForgeMember" } } },
    virt_lines_above = true,
  })
end

---@param view forge.View
---@param line integer
---@return integer? row of the first line from there on, if it is loaded
local function row_from(view, line)
  local low, high = 1, view.count + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if view:number(middle) < line then
      low = middle + 1
    else
      high = middle
    end
  end
  local is_first = low == 1 and not view:starts_with_first() and view:number(1) ~= line
  return low <= view.count and not is_first and low or nil
end

---@param view forge.View
local function mark_members(view)
  vim.api.nvim_buf_clear_namespace(view.buf, member_marks, 0, -1)
  local beginning = {} ---@type table<integer, forge.Member> by row; those without a line in the view have none
  for _, member in ipairs(view:is_numbered() and view.members or {}) do
    local row = member.start_line and not member.denied and row_from(view, member.start_line)
    if row then
      beginning[row] = member
    end
  end
  for row, member in pairs(beginning) do
    mark_member(view, member, row)
  end
end

---Mark what a page brought that now begins in this row.
---@param view forge.View
---@param page forge.ReadFileResult
---@param row integer
function M.show(view, page, row)
  local context = {}
  for _, line in ipairs(page.context_lines or {}) do
    context[line], view.context[line] = true, true
  end
  for index, line in ipairs(next(context) and page.line_numbers or {}) do
    if context[line] then
      mark_context(view, row + index - 1)
    end
  end
  view.members = page.members or view.members
  mark_members(view)
end

---Mark what another view of the same lines has marked.
---@param view forge.View
---@param other forge.View
function M.copy(view, other)
  view.context, view.members = vim.deepcopy(other.context), other.members
  for row = 1, next(view.context) and view.count or 0 do
    if view.context[view:number(row)] then
      mark_context(view, row)
    end
  end
  mark_members(view)
end

return M
