---`:Forge describe`
local asking = require("forge.asking")
local filters = require("forge.filters")
local log_times = require("forge.log_times")
local long_lines = require("forge.long_lines")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local tasks = require("forge.tasks")

local M = {}

local BAR = 40

---@param levels forge.LevelCounts
---@return string[]
local function bars(levels)
  local names = vim.list_extend(vim.iter(filters.LEVELS):rev():totable(), { "none" })
  local most, lines = 0, {}
  for _, name in ipairs(names) do
    most = math.max(most, levels[name] or 0)
  end
  local width = #numbers.grouped(most)
  for _, name in ipairs(names) do
    local count = levels[name]
    if count and (name ~= "none" or #lines > 0) then
      local bar = ("#"):rep(math.max(1, math.floor(BAR * count / most)))
      table.insert(lines, ("%-9s%" .. width .. "s %s"):format(name, numbers.grouped(count), bar))
    end
  end
  return lines
end

---@param member forge.Member
---@return string
local function about_member(member)
  local what = member.denied and "not read" .. (member.reason and ": " .. member.reason or "")
    or long_lines.size(member.byte_length)
  local from = member.start_line and (", from line %s"):format(numbers.grouped(member.start_line)) or ""
  return ("%-9s%s, %s%s"):format("", vim.fs.basename(member.path), what, from)
end

---@param found forge.DescribeResult
---@return string[]
local function rows(found)
  local lines = {}
  local function add(label, value)
    table.insert(lines, ("%-9s%s"):format(label, value))
  end
  add("file", found.path)
  add("size", long_lines.size(found.byte_length) .. (found.compression and ", " .. found.compression or ""))
  add("text", ("%s, format %s"):format(found.encoding, found.format))
  add("lines", numbers.grouped(found.line_count))
  if found.record_count ~= found.line_count then
    add("records", numbers.grouped(found.record_count))
  end
  if found.first_time and found.last_time then
    add("from", filters.shown_time(found.first_time))
    local duration = log_times.duration(log_times.between(found.first_time, found.last_time))
    add("to", ("%s (%s)"):format(filters.shown_time(found.last_time), duration))
  end
  if found.members then
    add("files", #found.members)
    vim.list_extend(lines, vim.tbl_map(about_member, found.members))
  end
  return vim.list_extend(lines, bars(found.levels))
end

function M.run()
  require("forge.commands.here").with_view(function(view)
    local task = tasks.begin_beside(view, "scanning")
    task:ask("forge/describe", asking.about_text(view, {}), function(found)
      task:finish()
      messages.print(rows(found))
    end)
    task:wait()
  end)
end

return M
