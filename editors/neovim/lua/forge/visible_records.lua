---What is shown of the records that visible lines belong to: their levels, the header of one that scrolled away,
---silences between them, and how much time passes in a selection.
local gaps = require("forge.gaps")
local levels = require("forge.levels")
local log_times = require("forge.log_times")
local numbers = require("forge.numbers")

local M = {}

local marks = vim.api.nvim_create_namespace("forge.header")

vim.api.nvim_set_hl(0, "ForgeHeader", { link = "NonText", default = true })

---@class forge.Seen
---@field key string What was asked for last.
---@field cancel fun()

local seen = {} ---@type table<forge.View, table<string, forge.Seen>>
setmetatable(seen, { __mode = "k" })

---Ask for the records of lines, unless they were asked for last. An answer that is late is not used.
---@param view forge.View
---@param purpose string
---@param lines integer[]
---@param take fun(records: forge.LineRecord[])
local function ask(view, purpose, lines, take)
  seen[view] = seen[view] or {}
  local key = ("%s %s %s"):format(view.etag, view.gaps or "", table.concat(lines, " "))
  local last = seen[view][purpose]
  if last and last.key == key then
    return
  elseif last then
    last.cancel()
  end
  local current = { key = key, cancel = function() end }
  seen[view][purpose] = current
  current.cancel = log_times.records(view, lines, function(records)
    if seen[view][purpose] == current then
      take(records)
    end
  end, function() end)
end

---@param view forge.View
---@param window integer
---@param row integer
---@param record? forge.LineRecord
local function show_header(view, window, row, record)
  vim.api.nvim_buf_clear_namespace(view.buf, marks, 0, -1)
  local line = view:number(row)
  if record and record.time and record.start_line < line and not view.context[line] and row <= view.count then
    local width = math.floor(vim.api.nvim_win_get_width(window) / 2)
    local text = vim.fn.strcharpart("↑ " .. vim.fn.strtrans(record.content), 0, width)
    vim.api.nvim_buf_set_extmark(view.buf, marks, row - 1, 0, {
      virt_text = { { text, "ForgeHeader" } },
      virt_text_pos = "right_align",
      hl_mode = "combine",
    })
  end
end

---@param view forge.View
local function update_duration(view)
  local start, finish = view.anchor or { line = view:number(vim.fn.line("v")) }, view:place()
  local is_selecting = vim.fn.mode():find("^[vV\22]") ~= nil and start.line ~= finish.line
  if not is_selecting or start.line < 1 then
    if view.duration then
      view.duration = nil
      numbers.publish(view)
      vim.cmd("redrawstatus!")
    end
    return
  end
  local lines = { math.min(start.line, finish.line), math.max(start.line, finish.line) }
  ask(view, "selection", lines, function(records)
    local first, last = records[1], records[2]
    local is_timed = first and last and first.time and last.time and vim.fn.mode():find("^[vV\22]")
    view.duration = is_timed and log_times.duration(log_times.between(first.time, last.time)) or nil
    numbers.publish(view)
    vim.cmd("redrawstatus!")
  end)
end

---The cursor was moved, or other lines are seen.
---@param view forge.View
function M.update(view)
  local window = view:window()
  if not window or not view.etag or view.is_old or view.count == 0 or not view:is_numbered() then
    return
  end
  if window == vim.api.nvim_get_current_win() then
    update_duration(view)
  end
  local top, lines = vim.fn.line("w0", window), {}
  for row = math.max(1, top - 1), math.min(view.count, vim.fn.line("w$", window)) do
    table.insert(lines, view:number(row))
  end
  ask(view, "visible", lines, function(records)
    local line = view:number(top)
    show_header(
      view,
      window,
      top,
      vim.iter(records):find(function(record)
        return record.line == line
      end)
    )
    gaps.show(view, records)
    levels.show(view, records)
  end)
end

---Other lines are in the buffer: what was marked in them is gone.
---@param view forge.View
function M.update_again(view)
  local last = (seen[view] or {}).visible
  if last then
    last.key = ""
  end
  M.update(view)
end

return M
