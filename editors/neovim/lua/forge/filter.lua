---A window with only the lines that match, and a list of them.
local asking = require("forge.asking")
local daemon = require("forge.daemon")
local large_file = require("forge.large_file")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local patterns = require("forge.patterns")

local M = {}

---The most lines in a quickfix list.
local MOST_ENTRIES = 1000
local MOST_TEXT = 300

---@param typed string a literal, or a regular expression between slashes
---@param invert boolean
---@return forge.FilterParams
function M.parse(typed, invert)
  local pattern = patterns.parse(typed)
  return { pattern = pattern.text, regex = pattern.regex, ignore_case = pattern.ignore_case, invert = invert }
end

---@param view forge.View
---@param error forge.Error
local function fail(view, error)
  if error.code ~= "CANCELLED" then
    messages.fail(error)
  end
  view.cancel = nil
end

---Show only the lines that match, from the one the cursor is in.
---@param view forge.View
---@param filter forge.FilterParams
function M.open(view, filter)
  local window = require("forge.window")
  local line = math.max(1, view:line())
  window.open_filter(view, filter, line)
end

---From a filtered window to the whole file.
---@param view forge.View
---@param line? integer where it goes; the place one was at if absent
function M.leave(view, line)
  local window = require("forge.window")
  window.open(view.path, { start = line, whole = true })
  local whole = require("forge.view").of()
  if line and whole and whole ~= view then
    require("forge.places").come_from(whole, view)
  end
end

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

---@param view forge.View
---@param filter forge.FilterParams
---@param page forge.ReadFileResult
---@return vim.quickfix.entry[]
local function entries_of(view, filter, page)
  local entries = {}
  local lines = vim.split(require("forge.colours").strip(page.content), "\n", { plain = true })
  for index, line in ipairs(page.line_numbers or {}) do
    local text = (lines[index] or ""):gsub("%z", " ")
    table.insert(entries, {
      filename = view.path,
      lnum = line,
      col = column_of(text, filter),
      text = vim.fn.strcharpart(text, 0, MOST_TEXT),
    })
  end
  return entries
end

---Put the lines that match into the quickfix list, and say how many there are.
---@param view forge.View
---@param typed string
---@param filter forge.FilterParams
function M.list(view, typed, filter)
  local ansi = view.is_coloured and "strip" or nil
  local params = vim.tbl_extend("force", view:file_parameters(), { path = view.path, filter = filter, ansi = ansi })
  if view.etag then
    view:stop() -- But not what brings its first lines.
  end
  local reporter = asking.reporter(view, "searching")
  local function take(page, total)
    messages.end_progress()
    local entries = entries_of(view, filter, page)
    if #entries == 0 then
      return messages.warn(("%s was not found in %s"):format(typed, vim.fs.basename(view.path)))
    end
    local figures = #entries < total and ("first %s of %s"):format(numbers.grouped(#entries), numbers.grouped(total))
      or numbers.grouped(total)
    large_file.prefer_window(view.path)
    local title = (":Forge grep%s %s (%s)"):format(filter.invert and "!" or "", typed, figures)
    vim.fn.setqflist({}, " ", { title = title, items = entries })
    vim.cmd("botright copen")
    local noun = total == 1 and "line" or "lines"
    messages.say(("%s%s: %s %s in the quickfix list"):format(filter.invert and "not " or "", typed, figures, noun))
  end
  view.cancel = daemon.request("forge/countLines", params, function(error, counted)
    if error then
      messages.end_progress()
      return fail(view, error)
    end
    local selector = { head = MOST_ENTRIES, max_lines = MOST_ENTRIES, on_binary = "refuse" }
    view.cancel = daemon.request("forge/readFile", vim.tbl_extend("force", params, selector), function(failure, page)
      view.cancel = nil
      if failure then
        return fail(view, failure)
      end
      take(page, math.max(counted.line_count, page.meta.returned_line_count))
    end)
  end, reporter)
end

return M
