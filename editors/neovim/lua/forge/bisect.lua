---Going to a time in a file whose lines begin with time stamps, by bisection: a few small windows, whatever its size.
local asking = require("forge.asking")
local daemon = require("forge.daemon")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local times = require("forge.times")
local travel = require("forge.travel")

local M = {}

---How many lines without a stamp may follow one another, as stack traces do.
local MOST_WITHOUT = 10000
local FIRST_WINDOW = 50
local COLUMNS = { start = 1, count = 256 }
local LAST_WINDOW = 1000
---Lines of several threads may be mixed up by so many seconds; that still counts as in order.
local TOLERANCE = 5
local FORMS = "14:05, 14:05:31, 2026-11-16, 2026-11-16 14:05, Nov 16 14:05"

---@class forge.Sample
---@field line integer
---@field stamp forge.Time
---@field key number

---@class forge.Search
---@field view forge.View
---@field name string
---@field samples forge.Sample[]
---@field wraps_at? number The key of the first stamp, in a file that passes midnight or New Year without saying so.
---@field total integer

---Ask, and continue here with the answer.
---@param view forge.View
---@param method string
---@param params table
---@return any
local function ask(view, method, params)
  local routine = coroutine.running()
  params = vim.tbl_extend("force", view:file_parameters(), { path = view.path }, params)
  local cancel = daemon.request(method, params, function(error, answer)
    if view:is_open() then
      assert(coroutine.resume(routine, error, answer))
    end
  end, asking.reporter(view, "reading"))
  view.cancel = function()
    cancel()
    messages.end_progress()
  end
  local error, answer = coroutine.yield()
  view.cancel = nil
  if error then
    messages.end_progress()
    if error.code ~= "CANCELLED" then
      messages.fail(error)
    end
    coroutine.yield() -- It is never resumed.
  end
  return answer
end

---@param search forge.Search
---@param page forge.ReadFileResult
---@param wants_last? boolean
---@return forge.Sample?
local function sample_in(search, page, wants_last)
  local sample
  local number = page.meta.start_line - 1
  for text in vim.gsplit(page.content, "\n", { plain = true }) do
    number = number + 1
    local stamp = times.stamp(text)
    if stamp then
      sample = { line = number, stamp = stamp, key = times.key(stamp, search.wraps_at) }
      if not wants_last then
        break
      end
    end
  end
  return sample
end

---The first line with a stamp from this one on.
---@param search forge.Search
---@param line integer
---@return forge.Sample?
local function sample_from(search, line)
  local limit, from = FIRST_WINDOW, line
  while from < line + MOST_WITHOUT do
    local page = ask(search.view, "forge/readFile", {
      start_line = from,
      limit = limit,
      max_lines = limit,
      columns = COLUMNS,
    })
    local sample = sample_in(search, page)
    if sample then
      table.insert(search.samples, sample)
      return sample
    end
    if not page.truncated and page.meta.returned_line_count < limit then
      return
    end
    from, limit = page.next_start_line or from + page.meta.returned_line_count, LAST_WINDOW
  end
end

---Two samples that contradict the order of time.
---@param search forge.Search
---@return forge.Sample? earlier
---@return forge.Sample? later
local function disorder(search)
  table.sort(search.samples, function(one, other)
    return one.line < other.line
  end)
  for index = 2, #search.samples do
    local before, after = search.samples[index - 1], search.samples[index]
    if after.key < before.key - TOLERANCE then
      return after, before
    end
  end
end

---@param search forge.Search
---@param target number
---@return forge.Sample? the first stamp at or after it
local function bisect(search, target)
  local low, high = 1, search.total -- Every stamp before `low` is too early.
  local found
  while low <= high do
    local middle = math.floor((low + high) / 2)
    local sample = sample_from(search, middle)
    if sample and sample.key < target then
      low = sample.line + 1
    else
      found = sample or found
      high = middle - 1
    end
  end
  return found
end

---@param search forge.Search
---@param typed string
---@param wanted forge.Time
local function go(search, typed, wanted)
  local view, name = search.view, search.name
  local here = view:line()
  search.total = ask(view, "forge/countLines", {}).line_count
  local first = sample_from(search, 1)
  if not first then
    return messages.fail({
      code = "INVALID_ARGUMENT",
      message = ("the lines of %s do not begin with a time"):format(name),
    })
  elseif wanted.month and not first.stamp.month then
    return messages.fail({
      code = "INVALID_ARGUMENT",
      message = ("the lines of %s have a time and no date"):format(name),
    })
  end
  local tail = ask(
    view,
    "forge/readFile",
    { start_line = math.max(1, search.total - LAST_WINDOW), max_lines = 2 * LAST_WINDOW, columns = COLUMNS }
  )
  local last = sample_in(search, tail, true) or first
  if last.key < first.key and not first.stamp.year then
    search.wraps_at = first.key
    last.key = times.key(last.stamp, search.wraps_at)
  end
  table.insert(search.samples, last)
  local current = here > 0 and sample_from(search, here) or first
  local target = times.key(times.complete(wanted, current.stamp), search.wraps_at)
  local found = bisect(search, target)
  messages.end_progress()
  local earlier, later = disorder(search)
  travel.go(view, found and found.line or "end", {
    arrived = function()
      if earlier and later then
        local first_line, second_line = numbers.grouped(earlier.line), numbers.grouped(later.line)
        local text = "%s is not in order of time: line %s is earlier than line %s"
        messages.warn(text:format(name, first_line, second_line))
      elseif found then
        local line = numbers.grouped(found.line)
        messages.tell(("%s is at line %s (%s)"):format(typed, line, times.text(found.stamp)))
      else
        local text = "%s ends before %s: its last line is of %s"
        messages.warn(text:format(name, typed, times.text(last.stamp)))
      end
    end,
  })
end

---To the first line at or after a time.
---@param view forge.View
---@param typed string
function M.go_to_time(view, typed)
  local wanted = times.parse(typed)
  if not wanted then
    return messages.fail({ code = "INVALID_ARGUMENT", message = "not a time: " .. typed, hint = FORMS })
  end
  view:stop()
  local search = { view = view, name = vim.fs.basename(view.path), samples = {}, total = 0 }
  coroutine.wrap(go)(search, typed, wanted)
end

return M
