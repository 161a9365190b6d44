---The lines that match, in the quickfix list.
local asking = require("forge.asking")
local colours = require("forge.colours")
local large_file = require("forge.large_file")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local tasks = require("forge.tasks")

local M = {}

---The most lines in a quickfix list.
M.MAX_ENTRIES = 1000
local MAX_TEXT = 300

---@param text string
---@param filter forge.FilterParams
---@return integer from 1
local function column_of(text, filter)
  if filter.regex or filter.invert then
    return 1
  end
  local pattern = filter.pattern
  if filter.ignore_case then
    text, pattern = text:lower(), pattern:lower()
  end
  return text:find(pattern, 1, true) or 1
end

---@param path string
---@param line integer
---@param column integer in bytes, from 1
---@param text string
---@return vim.quickfix.entry
function M.entry(path, line, column, text)
  local shown = vim.fn.strcharpart(text:gsub("%z", " "), 0, MAX_TEXT)
  return { filename = path, lnum = line, col = column, text = shown }
end

---@param title string
---@param entries vim.quickfix.entry[]
---@return boolean whether it was opened: it takes no keys from a person who types something by now
function M.show_list(title, entries)
  vim.fn.setqflist({}, " ", { title = title, items = entries })
  local is_idle = vim.api.nvim_get_mode().mode == "n" and vim.fn.getcmdwintype() == ""
  if is_idle then
    vim.cmd("botright copen")
  end
  return is_idle
end

---@param view forge.View
---@param filter forge.FilterParams
---@param page forge.ReadFileResult
---@return vim.quickfix.entry[]
local function entries_of(view, filter, page)
  local entries = {}
  local lines = vim.split(colours.strip(page.content), "\n", { plain = true })
  for index, line in ipairs(page.line_numbers or {}) do
    local text = lines[index] or ""
    table.insert(entries, M.entry(view.path, line, column_of(text, filter), text))
  end
  return entries
end

---Put the lines that match into the quickfix list, and say how many there are.
---@param view forge.View
---@param typed string
---@param filter forge.FilterParams
function M.list(view, typed, filter)
  local params = asking.about_text(view, { filter = filter })
  local task = tasks.begin_beside(view, "searching")
  local function take(page, total)
    local entries = entries_of(view, filter, page)
    if #entries == 0 then
      return messages.warn(("%s was not found in %s"):format(typed, vim.fs.basename(view.path)))
    end
    local figures = #entries < total and ("first %s of %s"):format(numbers.grouped(#entries), numbers.grouped(total))
      or numbers.grouped(total)
    large_file.prefer_window(view.path)
    local title = (":Forge grep%s %s (%s)"):format(filter.invert and "!" or "", typed, figures)
    M.show_list(title, entries)
    local noun = total == 1 and "line" or "lines"
    local matching = filter.invert and "without" or "with"
    messages.say(("%s %s %s %s, in the quickfix list"):format(figures, noun, matching, typed))
  end
  task:ask("forge/countLines", params, function(counted)
    local selector = { head = M.MAX_ENTRIES, max_lines = M.MAX_ENTRIES, on_binary = "refuse" }
    task:ask("forge/readFile", vim.tbl_extend("force", params, selector), function(page)
      task:finish()
      take(page, math.max(counted.line_count, page.meta.returned_line_count))
    end)
  end)
  task:wait()
end

return M
