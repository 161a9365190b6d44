---A window with only the lines that match: opened, changed, taken back, and left.
local changes = require("forge.changes")
local events = require("forge.events")
local filters = require("forge.filters")
local log_times = require("forge.log_times")
local messages = require("forge.messages")
local places = require("forge.places")
local saved_filters = require("forge.saved_filters")
local travel = require("forge.travel")
local views = require("forge.view")

local M = {}

---Show other lines in a view that has a filter. It keeps the one it has where that cannot be done.
---@param view forge.View
---@param filter forge.FilterParams
---@param changed fun()
local function change(view, filter, changed)
  travel.go_to_match(view, math.max(1, view:line()), {
    arrived = function()
      changed()
      events.fire("ForgeFiltered", view)
    end,
    failed = function(error)
      if error.code == "NOT_FOUND" then
        messages.warn(("%s has no such lines (%s)"):format(vim.fs.basename(view.path), filters.describe(filter)))
      else
        messages.fail(error)
      end
    end,
  }, filter)
end

---Show only the lines that match, from the one the cursor is in.
---@param view forge.View
---@param filter? forge.FilterParams Absent: the whole file.
function M.open(view, filter)
  local before = view.filter
  if not filter then
    return M.leave(view, view:line())
  elseif changes.refuse_old(view) then
    return
  end
  for _, limit in ipairs({ "since", "until" }) do -- An age would mean another time in each request.
    filter[limit] = filter[limit] and log_times.fixed(filter[limit])
  end
  if not before then
    return require("forge.window").open_filter(view, filter, math.max(1, view:line()))
  elseif vim.deep_equal(filter, before) then
    return -- <BS> would take back what changed nothing.
  end
  change(view, filter, function()
    table.insert(view.earlier_filters, before)
  end)
end

---From a filtered window to the whole file.
---@param view forge.View
---@param line? integer where it goes; the place one was at if absent
function M.leave(view, line)
  if line and changes.refuse_old(view) then
    return
  end
  line = line or not views.on(view.path, view.rotated) and view:line() or nil -- As after a session was restored.
  require("forge.window").open(view.path, {
    start = line,
    whole = true,
    encoding = view.encoding,
    rotated = view.rotated,
  })
  local whole = views.of()
  if line and whole and whole ~= view then
    places.come_from(whole, view)
  end
end

---Back to the filter before the last one, and from the first one to the whole file.
---@param view forge.View
function M.take_back(view)
  local earlier = view.earlier_filters
  if #earlier == 0 then
    return M.leave(view)
  elseif changes.refuse_old(view) then
    return
  end
  change(view, earlier[#earlier], function()
    table.remove(earlier)
  end)
end

---Show lines by something else beside what they are shown by now.
---@param view forge.View
---@param other table<string, any> false: without that
function M.change(view, other)
  if not view.etag then
    return messages.say_still_reading(view.path)
  end
  local wanted = filters.with(view.filter, other)
  if wanted or view.filter then
    M.open(view, wanted)
  end
end

local NO_FILTER = { code = "INVALID_ARGUMENT", message = "there is no filter here", hint = ":Forge filter {text}" }

---`g+` and `g-`: more lines around each that matches, or fewer.
---@param view forge.View
---@param more integer
function M.change_context(view, more)
  if not view.filter then
    return messages.fail(NO_FILTER)
  end
  local now = math.max(view.filter.before or 0, view.filter.after or 0)
  local wanted = math.max(0, math.min(filters.MAX_CONTEXT, now + more))
  if wanted ~= now then
    local lines = wanted > 0 and wanted
    M.change(view, { before = lines, after = lines })
  end
end

---Records pass or fail as a whole, or line by line.
---@param view forge.View
function M.toggle_records(view)
  if not view.filter then
    return messages.fail(NO_FILTER)
  end
  M.change(view, { records = not view.filter.records })
end

---Of each record only its first line.
---@param view forge.View
function M.toggle_headers(view)
  M.change(view, { headers = not (view.filter and view.filter.headers) })
end

---From the time of the cursor's line on.
---@param view forge.View
function M.from_here(view)
  log_times.of_cursor(view, function(time)
    M.change(view, { since = time })
  end)
end

---Up to the time of the cursor's line, and what was logged at that time.
---@param view forge.View
function M.until_here(view)
  log_times.of_cursor(view, function(time)
    M.change(view, { ["until"] = log_times.next(time) })
  end)
end

---What was logged in the minute of the cursor's line.
---@param view forge.View
function M.this_minute(view)
  log_times.of_cursor(view, function(time)
    local first, following = log_times.minute(time)
    M.change(view, { since = first, ["until"] = following })
  end)
end

---A level is chosen from a list.
---@param view forge.View
function M.choose_level(view)
  local choices = vim.list_extend({ "all" }, filters.LEVELS)
  vim.ui.select(choices, {
    prompt = "forge: which lines?",
    format_item = function(level)
      return level == "all" and "all levels" or level == "critical" and level or level .. " and above"
    end,
  }, function(level)
    if level and view:is_open() then
      M.change(view, { level = level ~= "all" and level })
    end
  end)
end

---@param view forge.View
---@param name string
---@param is_shared? boolean with those who work on the project
function M.save(view, name, is_shared)
  if not view.filter then
    return messages.fail(NO_FILTER)
  end
  local file
  if is_shared then
    file = saved_filters.share(view.path, name, view.filter)
    if not file then
      return
    end
  else
    saved_filters.save(name, view.filter)
  end
  local where = file and " in " .. vim.fn.fnamemodify(file, ":~:.") or ""
  messages.say(("saved%s: :Forge filter @%s shows %s"):format(where, name, filters.describe(view.filter)))
end

return M
