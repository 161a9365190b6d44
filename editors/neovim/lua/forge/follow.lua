---A view that stays at the end of its file as that grows.
local following = require("forge.following")
local loading = require("forge.loading")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local travel = require("forge.travel")

local M = {}

---More pages than this at once, and the view goes to the end instead of through all of them.
local MOST_PAGES = 5

local TOLD = {
  truncated = "%s was truncated; its lines start at 1 again",
  replaced = "%s is another file now; its lines start at 1 again",
  removed = "%s was removed; waiting for another one",
  created = "%s is there again",
}

---Bring what is new, while the end is shown.
---@param view forge.View
---@param pages? integer
local function catch_up(view, pages)
  if not view.at_end and not pages then
    return -- The person is elsewhere.
  end
  pages = pages or 0
  if pages >= MOST_PAGES then
    if #view:windows_at_end() > 0 then
      travel.go_to_end(view)
    end
    return
  end
  loading.load_new(view, function()
    if not view.at_end then
      catch_up(view, pages + 1)
    end
    vim.cmd("redrawstatus!")
  end)
end

---@param view forge.View
---@param event forge.Followed
local function on_event(view, event)
  local told = TOLD[event.event]
  if told then
    messages.say(told:format(vim.fs.basename(view.path)))
  end
  if event.event == "truncated" or event.event == "replaced" or event.event == "created" then
    travel.start_over(view)
  elseif event.event == "appended" then
    if event.line_count and not view.filter then
      view.total, view.total_of = event.line_count, event.etag
      numbers.publish(view)
    end
    catch_up(view)
  elseif event.event == "started" then
    catch_up(view)
  end
end

---@param view forge.View
local function start(view)
  -- Events only tell that there is something new. It is read from where the view ends: nothing is lost or doubled.
  view.follow = following.follow(view.path, { tail = 1 }, function(error, event)
    if not view:is_open() then
      return
    elseif error then
      view.follow = nil
      messages.fail(error)
    elseif event then
      on_event(view, event)
    end
    vim.cmd("redrawstatus!")
  end)
end

---@param view forge.View
function M.stop(view)
  if view.follow then
    view.follow.stop()
    view.follow = nil
    vim.cmd("redrawstatus!")
  end
end

---Go to the end, and stay there as lines come.
---@param view forge.View
function M.start(view)
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
  if view.follow then
    return view.at_end and #view:windows_at_end() > 0 and "following" or "paused"
  end
end

return M
