---A view that stays at the end of its file as that grows.
local events = require("forge.events")
local following = require("forge.following")
local loading = require("forge.loading")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local pages = require("forge.pages")
local travel = require("forge.travel")

local M = {}

---More pages than this at once, and the view goes to the end instead of through all of them.
local MOST_PAGES = 5

---What is said of each event: to those at the end, and to those who read elsewhere.
local TOLD = {
  truncated = { "%s was truncated; its lines start at 1 again", "%s was truncated; what is shown stays until G" },
  replaced = {
    "%s was replaced by another file; its lines start at 1 again",
    "%s was replaced by another file; what is shown stays until G",
  },
  created = { "%s is there again", "%s is there again; what is shown stays until G" },
  removed = { "%s was removed; waiting for another one", "%s was removed; waiting for another one" },
}

---@param view forge.View
---@param event forge.Followed
---@return integer how many lines are missing between what is shown and what the event brings; negative: it is shown
local function gap(view, event)
  return event.start_line + (event.continues_line and 1 or 0) - (view.first + view.count)
end

---The name means another file than the one that is shown. Who waits at its end sees the new one; who reads keeps it.
---@param view forge.View
local function meet_other(view)
  view.unread = {}
  if view:is_paused() then
    view.is_old = true
  else
    travel.start_over(view)
  end
end

---Show what events brought: it cannot be read any more, as the name is gone or means another file by now.
---@param view forge.View
local function show_unread(view)
  local unread, is_shown = view.unread, false
  view.unread, view.load_again = {}, nil
  for _, event in ipairs(unread) do
    if view.at_end and gap(view, event) == 0 then
      local about = { start_line = event.start_line, byte_length = event.byte_length }
      local meta = vim.tbl_extend("force", view.meta, about, { line_count = event.line_count })
      pages.append(view, vim.tbl_extend("force", event, { meta = meta, truncated = false }))
      numbers.publish(view)
      is_shown = true
    end
  end
  local should_fit = view.at_end and #unread > 0 and vim.uv.fs_stat(view.path)
  if should_fit and not is_shown then
    meet_other(view) -- What is shown was read before the file became the one that is followed.
  end
  vim.cmd("redrawstatus!")
end

---Bring what is new, while the end is shown.
---@param view forge.View
---@param lost fun() called where the file is gone or is another one
---@param brought? integer how many pages already
local function catch_up(view, lost, brought)
  if view.is_old or not view.at_end and not brought then
    return -- The person is elsewhere.
  end
  brought = brought or 0
  if brought >= MOST_PAGES then
    if #view:windows_at_end() > 0 then
      travel.go_to_end(view)
    end
    return
  end
  loading.load_new(view, function()
    view.unread = vim.tbl_filter(function(event)
      return gap(view, event) >= 0
    end, view.unread)
    if not view.at_end then
      catch_up(view, lost, brought + 1)
    end
    vim.cmd("redrawstatus!")
  end, lost)
end

---@param view forge.View
---@param event forge.Followed
local function on_event(view, event)
  local told = TOLD[event.event]
  if told then
    messages.say(told[view:is_paused() and 2 or 1]:format(vim.fs.basename(view.path)))
  end
  if event.event == "truncated" or event.event == "replaced" or event.event == "created" then
    meet_other(view)
  elseif event.event == "appended" and not view.is_old then
    if event.line_count and not view.filter then
      view.total, view.total_of = event.line_count, event.etag
    end
    if view.at_end and not view.filter and not view.rotated then
      table.insert(view.unread, event)
    end
    catch_up(view, function()
      if view.rotated then -- It was rotated: the same text, with other cursors.
        meet_other(view)
      else
        show_unread(view)
      end
    end)
  elseif event.event == "started" then
    view.follow.is_started = true
    if event.etag ~= view.etag then -- It grew or was replaced before it was followed.
      catch_up(view, function()
        meet_other(view)
      end)
    end
  end
end

---@param view forge.View
local function start(view)
  -- Events only tell that there is something new. It is read from where the view ends: nothing is lost or doubled.
  view.unread = {}
  local how = { tail = 1, encoding = view.encoding, ansi = view.ansi, rotated = view.rotated }
  view.follow = following.follow(view.path, how, function(error, event)
    if not view:is_open() then
      return
    elseif error then
      view.follow = nil
      messages.fail(error)
    elseif event then
      on_event(view, event)
      events.fire("ForgeFollowed", view, { event = event.event })
    end
    numbers.publish(view)
    vim.cmd("redrawstatus!")
  end)
end

---@param view forge.View
function M.stop(view)
  if view.follow then
    view.follow.stop()
    view.follow = nil
    numbers.publish(view)
    vim.cmd("redrawstatus!")
  end
end

---While no window shows it, the daemon may not read it.
---@param view forge.View
function M.suspend(view)
  view.resumes_follow = view.follow ~= nil
  M.stop(view)
end

---A window shows it again.
---@param view forge.View
function M.resume(view)
  if view.resumes_follow and not view.follow then
    start(view)
  end
  view.resumes_follow = nil
end

---Go to the end, and stay there as lines come.
---@param view forge.View
function M.start(view)
  if not view.etag then
    return view:when_filled(function()
      M.start(view)
    end)
  end
  travel.go_to_end(view, {
    arrived = function()
      if not view.follow then
        start(view)
      end
      vim.cmd("redrawstatus!")
    end,
  })
end

---@param view forge.View
function M.toggle(view)
  if view.follow then
    M.stop(view)
    messages.tell("no longer following " .. vim.fs.basename(view.path))
  else
    M.start(view)
  end
end

---Whether the cursor is where new lines come.
---@param view forge.View
---@return "following"|"paused"|nil
function M.state(view)
  if view.follow and view.follow.is_started then
    return view:is_paused() and "paused" or "following"
  end
end

return M
