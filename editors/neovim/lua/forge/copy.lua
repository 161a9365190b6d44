---Lines of the file, loaded or not, page by page: what yanking and writing take.
local asking = require("forge.asking")
local daemon = require("forge.daemon")
local numbers = require("forge.numbers")
local tasks = require("forge.tasks")

local M = {}

local PAGE = 10000

---@class forge.Range
---@field first integer
---@field last? integer The end of the file if absent.

---@param view forge.View
---@param range forge.Range
---@return integer? how many lines it has, if that is known
function M.length(view, range)
  local last = range.last or view.total
  return last and math.max(0, last - range.first + 1)
end

---@param count? integer
---@return string
function M.lines(count)
  return count and ("%s line%s"):format(numbers.grouped(count), count == 1 and "" or "s") or "all lines"
end

---@param filter forge.FilterParams
---@param range forge.Range
---@return forge.FilterParams which lines that match, of those
local function within(filter, range)
  return vim.tbl_extend("force", filter, { first_line = range.first, last_line = range.last })
end

---How many lines there are to pass through, in a filtered view: of the file, as far as the range goes.
---@param view forge.View
---@param range forge.Range
---@param take fun(lines: integer)
local function count_range(view, range, take)
  if range.last then
    return take(range.last - range.first + 1)
  end
  local params = vim.tbl_extend("force", view:file_parameters(), { path = view.path })
  daemon.request("forge/countLines", params, function(_, counted)
    if counted then
      take(counted.line_count - range.first + 1)
    end
  end)
end

---@param view forge.View
---@param range forge.Range
---@param doing string
---@param take fun(page: forge.ReadFileResult): string? why it cannot continue
---@param done fun(failure?: string, count?: integer)
function M.each_page(view, range, doing, take, done)
  local task = tasks.begin_beside(view, doing)
  local wanted, count, is_open_ended = M.length(view, range), 0, false
  local params = asking.about(view, { max_lines = PAGE, on_binary = "refuse", ansi = "strip" })
  local selector, is_filtered = { start_line = range.first, end_line = range.last }, view.filter ~= nil
  if is_filtered then
    params.filter, selector, wanted = within(view.filter, range), { start_line = 1 }, nil
    count_range(view, range, function(all)
      wanted = all
    end)
  end
  task.on_stopped = function()
    done("stopped")
  end
  if not is_filtered then -- Each page is a request, and quick. With a filter it is told where in the file one is.
    task.scale = function() end
  end
  local function fail(error)
    done(error.message)
  end
  local function ask(where)
    task:ask("forge/readFile", vim.tbl_extend("force", params, where), function(page)
      local failure = take(page)
      count = count + select(2, page.content:gsub("\n", "")) -- A long line takes several answers.
      is_open_ended = page.content ~= "" and not vim.endswith(page.content, "\n")
      if failure or not page.next_cursor then
        task:finish()
        return done(failure, count + (is_open_ended and 1 or 0))
      end
      ask({ cursor = page.next_cursor })
      if wanted and count > 0 then -- Parts of one line say nothing.
        local numbers_of_page = page.line_numbers or {}
        local passed = is_filtered and (numbers_of_page[#numbers_of_page] or 1) - range.first or count
        task:show_share(math.floor(100 * passed / math.max(1, wanted)))
      end
    end, fail)
  end
  ask(selector)
  task:wait()
end

return M
