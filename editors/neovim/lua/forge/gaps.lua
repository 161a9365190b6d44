---Silences of a log: where much time passes between two lines that are shown.
local log_times = require("forge.log_times")
local messages = require("forge.messages")

local M = {}

local marks = vim.api.nvim_create_namespace("forge.gaps")
---How many seconds count as a silence, unless told otherwise.
local USUAL = 60
local UNITS = { s = 1, m = 60, min = 60, h = 3600, d = 86400 }

vim.api.nvim_set_hl(0, "ForgeGap", { link = "WarningMsg", default = true })

---@param view forge.View
---@param records forge.LineRecord[]
local function mark(view, records)
  vim.api.nvim_buf_clear_namespace(view.buf, marks, 0, -1)
  for index = 2, #records do
    local before, after = records[index - 1], records[index]
    local seconds = before.time and after.time and log_times.between(before.time, after.time) or 0
    local row = seconds >= view.gaps and view:row(after.line)
    if row then
      vim.api.nvim_buf_set_extmark(view.buf, marks, row - 1, 0, {
        virt_lines = { { { ("── %s without a line ──"):format(log_times.duration(seconds)), "ForgeGap" } } },
        virt_lines_above = true,
      })
    end
  end
end

---Mark the silences between the lines that can be seen.
---@param view forge.View
---@param records forge.LineRecord[] of those lines, in order
function M.show(view, records)
  if view.gaps then
    mark(view, records)
  end
end

---@param typed string as in `30s`, `5m`, `1h`
---@return integer? seconds
function M.parse(typed)
  local number, unit = typed:match("^(%d+)%s*(%a*)$")
  return number and (unit == "" and 1 or UNITS[unit]) and tonumber(number) * (UNITS[unit] or 1) or nil
end

---@param view forge.View
---@param seconds? integer
function M.toggle(view, seconds)
  if view.gaps and not seconds then
    view.gaps = nil
    vim.api.nvim_buf_clear_namespace(view.buf, marks, 0, -1)
    return messages.tell("silences are no longer marked")
  end
  view.gaps = seconds or USUAL
  messages.tell(("silences of %s and more are marked"):format(log_times.duration(view.gaps)))
  require("forge.visible_records").update(view)
end

return M
