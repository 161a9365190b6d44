---Searching the whole file from a window, in the daemon.
local daemon = require("forge.daemon")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local travel = require("forge.travel")

local M = {}

local marks = vim.api.nvim_create_namespace("forge.find")
local BEHIND_EVERY_LINE = 1e13 -- As large as the JSON encoder writes without an exponent.

---@class forge.Pattern
---@field text string
---@field regex boolean
---@field ignore_case boolean
---@field match? forge.FindMatch The one the cursor was put on.

---As it is typed: a literal, or a regular expression between slashes. Case counts as 'ignorecase' and 'smartcase' say.
---@param typed string
---@return forge.Pattern
local function parse(typed)
  local expression = typed:match("^/(.+)/$")
  local text = expression or typed
  local ignore_case = vim.o.ignorecase and not (vim.o.smartcase and text:find("%u") ~= nil)
  return { text = text, regex = expression ~= nil, ignore_case = ignore_case }
end

---@param view forge.View
---@param match forge.FindMatch
local function show(view, match)
  local row = view:row(match.line)
  local line = row and vim.api.nvim_buf_get_lines(view.buf, row - 1, row, false)[1]
  if not row or not line then
    return
  end
  local start = vim.fn.byteidxcomp(line, match.start_column - 1)
  local finish = vim.fn.byteidxcomp(line, match.end_column)
  if start < 0 then
    start = #line -- The line is longer than what is shown of it.
  end
  view:put_cursor(row, start)
  if finish > start then
    local highlight = { end_col = finish, hl_group = "CurSearch", priority = 200 }
    vim.api.nvim_buf_set_extmark(view.buf, marks, row - 1, start, highlight)
  end
  local at = ("line %s, column %s"):format(numbers.grouped(match.line), numbers.grouped(match.start_column))
  messages.tell(("%s: %s"):format(view.pattern.text, at))
end

---@class forge.Place
---@field line integer
---@field column integer

---@param view forge.View
---@param direction "forward"|"backward"
---@param from forge.Place
---@param wrapped? boolean
local function search(view, direction, from, wrapped)
  local pattern = assert(view.pattern)
  local answered = false
  view:stop()
  vim.api.nvim_buf_clear_namespace(view.buf, marks, 0, -1)
  view.cancel = daemon.request("forge/find", {
    path = view.path,
    pattern = pattern.text,
    regex = pattern.regex,
    ignore_case = pattern.ignore_case,
    direction = direction,
    start_line = from.line,
    start_column = from.column,
  }, function(error, found)
    answered, view.cancel = true, nil
    messages.end_progress()
    if not view:is_open() then
      return
    end
    if error then
      if error.code ~= "CANCELLED" then
        messages.fail(error)
      end
      return
    end
    local match = found.match
    if match then
      pattern.match = match
      travel.go_to(view, match.line, {
        arrived = function()
          show(view, match)
        end,
      })
    elseif vim.o.wrapscan and not wrapped then
      local again = direction == "forward" and { line = 1, column = 1 } or { line = BEHIND_EVERY_LINE, column = 1 }
      search(view, direction, again, true)
    else
      messages.warn(("%s was not found in %s"):format(pattern.text, vim.fs.basename(view.path)))
    end
  end, travel.reporter(view, "searching"))
  travel.wait_for(function()
    return answered
  end)
end

---Where the cursor is in the file, once its lines are numbered.
---@param view forge.View
---@return forge.Place?
local function cursor(view)
  local window = view:window()
  if view.first < 0 or not window then
    messages.warn("the lines are still being counted; try again in a moment")
    return
  end
  local row, byte = unpack(vim.api.nvim_win_get_cursor(window))
  local line = vim.api.nvim_buf_get_lines(view.buf, row - 1, row, false)[1] or ""
  return { line = view:number(row), column = vim.fn.strchars(line:sub(1, byte)) + 1 }
end

---@param view forge.View
---@param typed string
function M.start(view, typed)
  view.pattern = parse(typed)
  local here = cursor(view)
  if here then
    search(view, "forward", here)
  end
end

---The next match, or the previous one.
---@param view forge.View
---@param direction "forward"|"backward"
---@return boolean whether there is anything to search for
function M.again(view, direction)
  local here = view.pattern and cursor(view)
  if not here then
    return view.pattern ~= nil
  end
  local match = view.pattern.match
  local on_match = match and match.line == here.line and match.start_column == here.column
  if direction == "forward" then
    here.column = on_match and math.max(match.end_column, match.start_column) + 1 or here.column + 1
  end
  search(view, direction, here)
  return true
end

return M
