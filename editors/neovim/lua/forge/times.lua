---Time stamps: how lines begin with them, and how a person types them. `tests/editors/times.json` has every form.
local M = {}

---A date and a time, a date without a year, or a time alone.
---@class forge.Time
---@field year? integer
---@field month? integer
---@field day? integer
---@field seconds number Since midnight.

local DAY = 24 * 60 * 60
local MONTHS = {}
for index, name in ipairs({ "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec" }) do
  MONTHS[name] = index
end
local LENGTHS = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }

---@param year integer
---@return boolean
local function is_leap(year)
  return year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
end

---@return forge.Time? nil where there is no such date or time
local function time(year, month, day, hour, minute, second)
  year, month, day = tonumber(year), tonumber(month), tonumber(day)
  hour, minute, second = tonumber(hour or 0), tonumber(minute or 0), tonumber(second or 0)
  if month and (month < 1 or month > 12 or day < 1 or day > LENGTHS[month]) then
    return
  elseif year and month == 2 and day == 29 and not is_leap(year) then
    return
  elseif hour > 23 or minute > 59 or second >= 61 then
    return
  end
  return { year = year, month = month, day = day, seconds = hour * 3600 + minute * 60 + second }
end

---@param year integer
---@param month integer
---@param day integer
---@return integer days since 1970
local function days(year, month, day)
  -- Years start in March, so that the leap day is the last one.
  if month <= 2 then
    year, month = year - 1, month + 12
  end
  local leap_days = math.floor(year / 4) - math.floor(year / 100) + math.floor(year / 400)
  return 365 * year + leap_days + math.floor((153 * (month - 3) + 2) / 5) + day - 1 - 719468
end

---@param seconds number since 1970
---@return forge.Time
local function of_epoch(seconds)
  local date = os.date("!*t", math.floor(seconds)) --[[@as osdate]]
  local in_day = date.hour * 3600 + date.min * 60 + date.sec + seconds % 1
  return { year = date.year, month = date.month, day = date.day, seconds = in_day }
end

---`14:05:31.25` at the beginning of a text, or `14:05` where that is enough.
---@param text string
---@param short? boolean
---@return string? hour
---@return string? minute
---@return string? second
---@return string? rest
local function clock(text, short)
  local hour, minute, second, rest = text:match("^(%d%d?):(%d%d):(%d%d)(.*)$")
  if hour then
    local fraction = rest:match("^[.,](%d+)")
    return hour, minute, fraction and second .. "." .. fraction or second, fraction and rest:sub(#fraction + 2) or rest
  elseif short then
    hour, minute, rest = text:match("^(%d%d?):(%d%d)(.*)$")
    return hour, minute, "0", rest
  end
end

---A date with a year, and a time unless it is left out.
---@param text string
---@return forge.Time?
---@return string? rest
---@return boolean? has_clock
local function iso(text)
  local year, month, day, rest = text:match("^(%d%d%d%d)[-/](%d%d)[-/](%d%d)(.*)$")
  if not year then
    return
  end
  local hour, minute, second, after = clock(rest:match("^[T ](.*)$") or "", true)
  if hour then
    return time(year, month, day, hour, minute, second), after, true
  end
  return time(year, month, day), rest, false
end

---`Nov 16 14:05:31`, with the year after it or without.
---@param text string
---@return forge.Time?
---@return string? rest
---@return boolean? has_clock
local function named_month(text)
  local name, day, rest = text:match("^(%a%a%a) +(%d%d?)(.*)$")
  local month = name and MONTHS[name:lower()]
  if not month then
    return
  end
  local hour, minute, second, after = clock(rest:match("^ (.*)$") or "", true)
  if not hour then
    return time(nil, month, day), rest, false
  end
  local year = after and after:match("^ (%d%d%d%d)%f[%D]")
  return time(year, month, day, hour, minute, second), after, true
end

---@param text string
---@return forge.Time?
local function epoch(text)
  local whole, fraction = text:match("^(%d+)([.]?%d*)")
  if whole and #whole == 13 and fraction == "" then
    return of_epoch(tonumber(whole) / 1000)
  elseif whole and #whole == 10 then
    return of_epoch(tonumber(whole .. fraction))
  end
end

---@param line string
---@return forge.Time?
local function access_log(line)
  local day, name, year, rest = line:sub(1, 160):match("^[^[]*%[(%d%d)/(%a%a%a)/(%d%d%d%d):(.*)$")
  local month = day and MONTHS[name:lower()]
  local hour, minute, second = clock(rest or "")
  if month and hour then
    return time(year, month, day, hour, minute, second)
  end
end

---@param line string
---@return forge.Time?
local function klog(line)
  local month, day, rest = line:match("^[DIWEF](%d%d)(%d%d) (.*)$")
  local hour, minute, second = clock(rest or "")
  if hour then
    return time(nil, month, day, hour, minute, second)
  end
end

---@param line string
---@return string what comes after brackets, a syslog priority, or a JSON key
local function without_prefix(line)
  local key, value = line:match('^%s*{%s*"(@?%a+)"%s*:%s*"?(.*)$')
  if key and vim.list_contains({ "time", "timestamp", "ts", "@timestamp" }, key) then
    return value
  end
  line = line:gsub("^[%s%[%(\"']+", "")
  return line:match("^<%d+>1 (.*)$") or line:match("^<%d+>(.*)$") or line
end

---The time stamp that a line begins with.
---@param line string
---@return forge.Time?
function M.stamp(line)
  local text = without_prefix(line)
  for _, form in ipairs({ iso, named_month }) do
    local found, _, has_clock = form(form == named_month and text:match("^%a%a%a (%a.*)$") or text)
    if found then
      return has_clock and found or nil
    end
  end
  local hour, minute, second = clock(text)
  if hour then
    return time(nil, nil, nil, hour, minute, second)
  end
  return klog(text) or epoch(text) or access_log(line)
end

---A time as a person types it.
---@param typed string
---@return forge.Time?
function M.parse(typed)
  local text = vim.trim(typed)
  local found, rest = iso(text)
  if not found then
    found, rest = named_month(text)
  end
  if not found then
    local hour, minute, second, after = clock(text, true)
    if hour then
      found, rest = time(nil, nil, nil, hour, minute, second), after
    end
  end
  return found and (rest == "" or rest == "Z") and found or nil
end

---@param moment forge.Time
---@return string as in `2026-11-16 14:05:31`
function M.text(moment)
  local seconds = moment.seconds
  local clock_text = ("%02d:%02d:%02d"):format(seconds / 3600, seconds / 60 % 60, seconds % 60)
  local fraction = ("%.6f"):format(seconds % 1):gsub("0+$", ""):gsub("%.$", ""):sub(2)
  local date = moment.year and ("%04d-%02d-%02d "):format(moment.year, moment.month, moment.day)
    or moment.month and ("%02d-%02d "):format(moment.month, moment.day)
    or ""
  return date .. clock_text .. fraction
end

---What times are compared by, all of one form. Those without a year, or without a date, start over; so what is earlier
---than the file's first line belongs to the next year or day.
---@param moment forge.Time
---@param first? number the key of the file's first line
---@return number
function M.key(moment, first)
  local key, period = moment.seconds, DAY
  if moment.month then
    key = key + days(moment.year or 2000, moment.month, moment.day) * DAY
    period = not moment.year and 366 * DAY or nil
  end
  return period and first and key < first and key + period or key
end

---What a person means: parts that were not typed are those of the line one is at, parts that lines lack do not count.
---@param typed forge.Time
---@param here forge.Time a stamp of the file
---@return forge.Time
function M.complete(typed, here)
  return {
    year = here.year and (typed.year or here.year),
    month = here.month and (typed.month or here.month),
    day = here.day and (typed.day or here.day),
    seconds = typed.seconds,
  }
end

return M
