---Following files: the daemon tells what becomes of them.
local clients = require("forge.client")
local daemon = require("forge.daemon")
require("forge.roots") -- A new daemon is told of the folders first.

local M = {}

---@class forge.Followed A `forge/followed` of the protocol; the first one is `started`, with the fields of a window.
---@field event "started"|"appended"|"truncated"|"replaced"|"removed"|"created"|"refused"
---@field content? string
---@field start_line? integer
---@field continues_line? boolean
---@field byte_length? integer
---@field line_count? integer

---@alias forge.OnEvent fun(error?: forge.Error, event?: forge.Followed)

---@class forge.Follower
---@field params forge.FollowParams
---@field on_event forge.OnEvent
---@field id? string
---@field is_stopped? boolean

local followers = {} ---@type table<string, forge.Follower> by `follow_id`
local early = {} ---@type table<string, table[]> events that came before the answer they belong to
local starting = 0 -- How many answers are awaited.

---@param follower forge.Follower
---@param event table
local function deliver(follower, event)
  if follower.is_stopped then
    return
  end
  follower.params.cursor = event.end_cursor or follower.params.cursor
  if event.event == "refused" then
    followers[follower.id] = nil
    follower.is_stopped = true
    return follower.on_event(vim.tbl_extend("force", { message = event.error.reason }, event.error), event)
  end
  follower.on_event(nil, event)
end

---@param id string
local function unfollow(id)
  early[id] = nil
  daemon.request("forge/unfollow", { follow_id = id }, function() end)
end

---@param follower forge.Follower
---@param is_other? boolean The file is another one than before.
local function start(follower, is_other)
  starting = starting + 1
  daemon.request("forge/follow", follower.params, function(error, result)
    starting = starting - 1
    if error and error.code == "CONTENT_MODIFIED" and follower.params.cursor and not follower.is_stopped then
      follower.params.cursor = nil -- It was rotated or truncated while there was no daemon.
      return start(follower, true)
    end
    if follower.is_stopped then
      return result and unfollow(result.follow_id)
    elseif error then
      follower.is_stopped = true
      return follower.on_event(error)
    end
    follower.id, follower.params.tail = result.follow_id, nil
    followers[follower.id] = follower
    if is_other then
      deliver(follower, { event = "replaced" })
    end
    deliver(follower, vim.tbl_extend("force", result, { event = "started" }))
    for _, event in ipairs(early[follower.id] or {}) do
      deliver(follower, event)
    end
    early[follower.id] = nil
  end)
end

---The daemon's own request. It sends the next one after the answer.
daemon.handlers["forge/followed"] = function(_, params)
  local event = clients.without_null(params)
  local follower = followers[event.follow_id]
  if follower then
    deliver(follower, event)
  elseif starting > 0 then
    early[event.follow_id] = early[event.follow_id] or {}
    table.insert(early[event.follow_id], event)
  end
  return vim.NIL
end

-- After a crash the next daemon follows on from where the last one was.
table.insert(daemon.on_ready, function()
  local interrupted = followers
  followers, early = {}, {}
  for _, follower in pairs(interrupted) do
    start(follower)
  end
end)

---@param path string
---@param options? forge.FollowParams `path` left out
---@param on_event forge.OnEvent
---@return {stop: fun()}
function M.follow(path, options, on_event)
  local follower = { params = vim.tbl_extend("force", options or {}, { path = path }), on_event = on_event }
  start(follower)
  return {
    stop = function()
      if follower.is_stopped then
        return
      end
      follower.is_stopped = true
      if follower.id and followers[follower.id] == follower then
        followers[follower.id] = nil
        unfollow(follower.id)
      end -- Otherwise it ends once it has started: a request that is cancelled may have been answered already.
    end,
  }
end

return M
