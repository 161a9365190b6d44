---Times of a log's lines, as the daemon knows them: going to a time, and how much time passes between lines.
local asking = require("forge.asking")
local changes = require("forge.changes")
local filters = require("forge.filters")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local places = require("forge.places")
local tasks = require("forge.tasks")

local M = {}

---The records that lines belong to.
---@param view forge.View
---@param lines integer[] numbers of the file's lines
---@param take fun(records: forge.LineRecord[])
---@param failed? fun(error: forge.Error)
---@return fun() cancel
function M.records(view, lines, take, failed)
  return asking.ask_plainly(view, "forge/records", asking.about_text(view, { lines = lines }), function(answer)
    take(answer.records)
  end, failed)
end

---The time of the line the cursor is in, for something that a person waits for.
---@param view forge.View
---@param take fun(time: string)
function M.of_cursor(view, take)
  local line = view:line()
  if not view.etag then
    return messages.say_still_reading(view.path)
  elseif changes.refuse_old(view) then
    return
  elseif line < 1 then
    return messages.warn(messages.STILL_COUNTING)
  end
  local task = tasks.begin(view, "reading")
  task:ask("forge/records", asking.about_text(view, { lines = { line } }), function(answer)
    task:finish()
    local record = answer.records[1]
    if record and record.time then
      return take(record.time)
    end
    local text = "line %s of %s has no time"
    messages.warn(text:format(numbers.grouped(line), vim.fs.basename(view.path)))
  end)
  task:wait()
end

local SECONDS = { s = 1, m = 60, h = 3600, d = 86400, w = 604800 }

---@param typed string
---@return string the moment that an age as in `-5m`, or `now`, means by now; other times as they are
function M.fixed(typed)
  local number, unit = (typed == "now" and "-0s" or typed):match("^%-(%d+)([smhdw])$")
  local seconds = number and os.time() - number * SECONDS[unit]
  if not seconds or seconds < 0 then
    return typed
  end
  return os.date("%Y-%m-%dT%H:%M:%S", seconds) .. filters.own_zone(seconds)
end

---To the first line at or after a time.
---@param view forge.View
---@param typed string
function M.go_to(view, typed)
  if changes.refuse_old(view) then
    return
  end
  local task = tasks.begin(view, "reading")
  task:ask("forge/findTime", asking.about_text(view, { time = M.fixed(typed) }), function(found)
    task:finish()
    places.jump(view, found.line or "end", {
      arrived = function()
        if found.line then
          local text = "%s is at line %s (%s)" .. (view:row(found.line) and "" or ", which is not shown here")
          messages.tell(text:format(typed, numbers.grouped(found.line), filters.shown_time(found.time)))
        else
          messages.warn(("%s ends before %s"):format(vim.fs.basename(view.path), typed))
        end
      end,
    })
  end)
  task:wait()
end

---@class forge.SplitTime
---@field seconds integer Since 1970, as if it were in UTC.
---@field fraction string As in `.120`; empty if there is none.
---@field zone string As in `+01:00`; empty if there is none.

---@param time string as the daemon writes it
---@return forge.SplitTime
local function split(time)
  local year, month, day, hour, minute, second, rest = time:match("^(%d+)%-(%d%d)%-(%d%d)T(%d%d):(%d%d):(%d%d)(.*)$")
  local fraction, zone = rest:match("^(%.?%d*)(.*)$")
  local date = { year = year, month = month, day = day, hour = hour, min = minute, sec = second, isdst = false }
  local local_seconds = os.time(date)
  local shift = os.time(os.date("!*t", local_seconds) --[[@as osdateparam]]) - local_seconds
  return { seconds = local_seconds - shift, fraction = fraction, zone = zone }
end

---@param seconds integer
---@param rest string
---@return string
local function joined(seconds, rest)
  return os.date("!%Y-%m-%dT%H:%M:%S", seconds) .. rest
end

---@param time string as the daemon writes it
---@return string the first one after it that a log of this precision can have
function M.next(time)
  local parts = split(time)
  if parts.fraction == "" then
    return joined(parts.seconds + 1, parts.zone)
  end
  local digits = #parts.fraction - 1
  local following = tonumber(parts.fraction:sub(2)) + 1
  if following == 10 ^ digits then
    return joined(parts.seconds + 1, parts.zone)
  end
  return joined(parts.seconds, ("." .. ("%0" .. digits .. "d"):format(following)) .. parts.zone)
end

---@param time string as the daemon writes it
---@return string first of the minute it is in
---@return string next of the minute after it
function M.minute(time)
  local parts = split(time)
  local first = parts.seconds - parts.seconds % 60
  return joined(first, parts.zone), joined(first + 60, parts.zone)
end

---@param zone string as in `+01:00`
---@return integer seconds
local function offset(zone)
  local sign, hours, minutes = zone:match("^([+-])(%d%d):(%d%d)")
  return sign and tonumber(sign .. "1") * (3600 * tonumber(hours) + 60 * tonumber(minutes)) or 0
end

---@param time string as the daemon writes it
---@param other string
---@return number seconds from the one to the other
function M.between(time, other)
  local first, second = split(time), split(other)
  local fraction = (tonumber("0" .. second.fraction) or 0) - (tonumber("0" .. first.fraction) or 0)
  return second.seconds - offset(second.zone) - first.seconds + offset(first.zone) + fraction
end

---@param seconds number
---@return string as in `2 h 5 min`, `31.5 s`
function M.duration(seconds)
  local size = math.abs(seconds)
  local sign = seconds < 0 and "-" or ""
  if size < 60 then
    return sign .. (("%.3f"):format(size):gsub("%.?0+$", "")) .. " s"
  end
  for _, units in ipairs({ { 86400, "d", 3600, "h" }, { 3600, "h", 60, "min" }, { 60, "min", 1, "s" } }) do
    if size >= units[1] then
      local rest = math.floor(size % units[1] / units[3])
      local more = rest > 0 and (" %d %s"):format(rest, units[4]) or ""
      return ("%s%d %s%s"):format(sign, math.floor(size / units[1]), units[2], more)
    end
  end
  return "0 s"
end

return M
