---The next match in the lines that a view shows, found by the daemon in the whole file.
local asking = require("forge.asking")
local tasks = require("forge.tasks")

local M = {}

local AFTER_EVERY_LINE = 1e13 -- As large as the JSON encoder writes without an exponent.

---@alias forge.Direction "forward"|"backward"

---What is searched for, as the daemon takes it.
---@class forge.Searched
---@field text string
---@field regex? boolean
---@field ignore_case? boolean
---@field filter? forge.FilterParams In which lines, if not in all that the view shows.

---@class forge.SearchFrom
---@field line integer
---@field column integer In characters, from 1.

---Where to search on after a match.
---@param match forge.FindMatch
---@param direction forge.Direction
---@return forge.SearchFrom
function M.beyond(match, direction)
  if direction == "backward" then
    return { line = match.line, column = match.start_column }
  end
  return { line = match.line, column = math.max(match.end_column, match.start_column) + 1 }
end

---@param view forge.View
---@param pattern forge.Searched
---@return forge.FindParams
function M.parameters(view, pattern)
  return asking.about_text(view, {
    pattern = pattern.text,
    regex = pattern.regex,
    ignore_case = pattern.ignore_case,
    filter = pattern.filter or view.filter,
  })
end

---@param task forge.Task
---@param pattern forge.Searched
---@param direction forge.Direction
---@param from forge.SearchFrom
---@param limits? {first_line?: integer, last_line?: integer} where the search ends
---@param take fun(match?: forge.FindMatch)
local function ask(task, pattern, direction, from, limits, take)
  local params = M.parameters(task.view, pattern)
  params.direction, params.start_line, params.start_column = direction, from.line, from.column
  if limits then
    local itself = { pattern = pattern.text, regex = pattern.regex, ignore_case = pattern.ignore_case }
    params.filter = vim.tbl_extend("force", params.filter or itself, limits)
  end
  task:ask("forge/find", params, function(found)
    take(found.match)
  end)
end

---@class forge.SearchOutcome
---@field arrived fun(match: forge.FindMatch, wrapped: boolean)
---@field lost fun(wrapped: boolean)

---Search for the match with this number from a place on, and around the edge of the file if 'wrapscan' is set.
---@param view forge.View
---@param pattern forge.Searched
---@param direction forge.Direction
---@param from forge.SearchFrom
---@param count integer
---@param outcome forge.SearchOutcome
function M.run(view, pattern, direction, from, count, outcome)
  local task = tasks.begin(view, "searching")
  local begin_second_part, wrapped, is_any = task:scale_by_parts(), false, false
  local edge = { line = direction == "forward" and 1 or AFTER_EVERY_LINE, column = 1 }
  local up_to_here = direction == "forward" and { last_line = from.line } or { first_line = from.line }
  local function step(place, limits)
    ask(task, pattern, direction, place, limits, function(match)
      if match and count > 1 then
        count, is_any = count - 1, true
        step(M.beyond(match, direction), limits)
      elseif match then
        task:finish()
        outcome.arrived(match, wrapped)
      elseif vim.o.wrapscan and (is_any or not wrapped) then
        begin_second_part()
        limits = not is_any and up_to_here or nil -- Nothing after here: it ends where it began.
        wrapped, is_any = true, false
        step(edge, limits)
      else
        task:finish()
        outcome.lost(wrapped)
      end
    end)
  end
  step(from)
  task:wait()
end

return M
