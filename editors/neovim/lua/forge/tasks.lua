---What a person waits for: how far it is, in the message line, and CTRL-C, which stops it from wherever one is.
local asking = require("forge.asking")
local daemon = require("forge.daemon")
local messages = require("forge.messages")

local M = {}

---@class forge.Task
---@field view? forge.View nil: it is about no view.
---@field doing string As in `searching server.log`.
---@field percentage? integer The highest so far: it never falls back.
---@field scale? fun(percentage: integer): integer? From what a request reports to the whole task; nil: it says nothing.
---@field is_done boolean
---@field is_long? boolean CTRL-C stops it.
---@field on_stopped? fun() Called in place of saying so.
---@field clear fun() The view no longer waits for it.
---@field cancel_request? fun()
local Task = {}
Task.__index = Task

---A task is named after this time, even if nothing reports how far it is.
local NAMED_AFTER_MS = 1000

local long_tasks = {} ---@type forge.Task[] those that were not done in a moment, the one named last at the end
local is_waiting = false -- Neovim tells of an interrupt then.
local CTRL_C = "\3"
local keys = vim.api.nvim_create_namespace("forge.tasks")

---Not a mapping: Neovim takes CTRL-C for an interrupt while it is busy, and looks for no mapping then.
local function listen_for_ctrl_c()
  vim.on_key(function(key, typed)
    if typed == CTRL_C and not is_waiting and vim.api.nvim_get_mode().mode == "n" then
      vim.schedule(M.stop)
      return key == CTRL_C and "" or nil
    end
  end, keys)
end

---@param task forge.Task
local function name_last(task)
  long_tasks = vim.tbl_filter(function(other)
    return other ~= task
  end, long_tasks)
  table.insert(long_tasks, task)
end

---@param view? forge.View
---@param doing string as in `searching`
---@return forge.Task
local function create(view, doing)
  local named = view and ("%s %s"):format(doing, vim.fs.basename(view.path)) or doing
  messages.expect_progress()
  return setmetatable({ view = view, doing = named, is_done = false, clear = function() end }, Task)
end

---Begin something that moves the view. Another such task of the view takes its place.
---@param view forge.View
---@param doing string as in `searching`
---@return forge.Task
function M.begin(view, doing)
  view:stop()
  view.stop_counting()
  local task = create(view, doing)
  view.cancel = function()
    task:stop()
  end
  task.clear = function()
    view.cancel = nil
  end
  return task
end

---Begin something that continues while the person reads elsewhere, as long as the buffer is there.
---@param view forge.View
---@param doing string as in `writing`
---@return forge.Task
function M.begin_beside(view, doing)
  local task = create(view, doing)
  view.beside[task] = true
  task.clear = function()
    view.beside[task] = nil
  end
  return task
end

---Begin something that is about no view, and continues wherever the person is.
---@param doing string as in `searching project`
---@return forge.Task
function M.begin_alone(doing)
  return create(nil, doing)
end

---Search in two parts, from somewhere to the edge of the file and from the other edge on: the daemon reports where in
---the file it is, as seen from the edge that the search comes from.
---@return fun() next_part to be called when the second one begins
function Task:scale_by_parts()
  local started_at, is_second = nil, false ---@type integer?, boolean
  self.scale = function(percentage)
    started_at = started_at or not is_second and percentage or 100
    return is_second and 100 - started_at + percentage or percentage - started_at
  end
  return function()
    is_second = true
  end
end

---Ask the daemon. Whoever takes the answer asks further or finishes the task.
---@param method string
---@param params table
---@param take fun(answer: any)
---@param failed? fun(error: forge.Error)
function Task:ask(method, params, take, failed)
  self.cancel_request = daemon.request(method, params, function(error, answer)
    if self.is_done then
      return
    elseif self.view and not self.view:is_open() then
      return self:finish()
    elseif answer then
      return take(answer)
    end
    self:finish()
    if error.code ~= "CANCELLED" then
      (failed or messages.fail)(error)
    end
  end, function(value)
    if value.kind == "report" then -- At its beginning each request is at 0 %.
      self:report(value.percentage or 0)
    end
  end)
end

---The request reports how far it is.
---@param percentage integer
function Task:report(percentage)
  local scaled = self.scale and self.scale(percentage) or not self.scale and percentage
  if scaled then
    self:show_share(scaled)
  end
end

---Show how far all of it is.
---@param percentage integer
function Task:show_share(percentage)
  self.percentage = math.min(100, math.max(self.percentage or 0, percentage))
  self:show()
end

---Name what takes long; CTRL-C stops it from then on.
function Task:show()
  if not self.is_done then
    self:take_long()
    name_last(self)
    local share = self.percentage and (" %d %%,"):format(self.percentage) or ""
    messages.progress(("%s,%s CTRL-C stops"):format(self.doing, share))
  end
end

---CTRL-C stops it from now on, wherever one is.
function Task:take_long()
  if not self.is_long and not self.is_done then
    self.is_long = true
    if #long_tasks == 0 then
      listen_for_ctrl_c()
    end
    name_last(self)
  end
end

function Task:finish()
  if self.is_done then
    return
  end
  self.is_done = true
  self.clear()
  if self.is_long then
    long_tasks = vim.tbl_filter(function(other)
      return other ~= self
    end, long_tasks)
    if #long_tasks == 0 then
      vim.on_key(nil, keys)
    end
  end
  messages.end_progress()
end

---Finish it without an answer.
function Task:stop()
  local cancel_request = not self.is_done and self.cancel_request
  self:finish()
  if cancel_request then
    cancel_request()
  end
  if self.view then
    require("forge.counting").soon(self.view)
  end
end

---The same, and say so.
function Task:abandon()
  self:stop()
  if self.on_stopped then
    return self.on_stopped()
  elseif self.view and not self.view.etag then
    require("forge.window").give_up(self.view) -- Its first lines never came.
  end
  messages.say("stopped")
end

---Wait a moment for what usually takes less; after that the person can type on.
function Task:wait()
  local was_waiting = is_waiting
  is_waiting = true
  local was_interrupted = asking.wait_for(function()
    return self.is_done
  end)
  is_waiting = was_waiting
  if was_interrupted then
    self:abandon()
  else
    self:take_long()
    vim.defer_fn(function()
      if not self.percentage then
        self:show()
      end
    end, NAMED_AFTER_MS)
  end
end

---CTRL-C: stop what was named last.
function M.stop()
  local task = long_tasks[#long_tasks]
  if task then
    task:abandon()
  end
end

return M
