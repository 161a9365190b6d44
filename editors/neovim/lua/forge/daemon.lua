---The one daemon of this Neovim: started with it, started again after a crash, gone when Neovim goes.
local clients = require("forge.client")
local config = require("forge.config")
local log = require("forge.log")
local messages = require("forge.messages")
local names = require("forge.names")

local M = {}

local MAX_CRASHES = 3
local WITHIN_SECONDS = 180
---How long a daemon may take to be ready. Python may start slowly on a busy machine.
local START_MS = 20000

---@class forge.Error
---@field code forge.ErrorCode|"UNAVAILABLE" UNAVAILABLE: the daemon could not be asked.
---@field message string
---@field path? string
---@field reason? string
---@field retriable? boolean
---@field hint? string
---@field etag? string

---@class forge.Job
---@field method string
---@field params table
---@field callback fun(error?: forge.Error, result?: any)
---@field id? integer
---@field done? boolean
---@field was_sent_again? boolean After a crash.

---@type integer? The client's id.
local client_id
local ready, stopping, given_up, crash_was_told = false, false, false, false
local crashes = {} ---@type integer[]
local jobs = {} ---@type table<forge.Job, true>
local waiting = {} ---@type forge.Job[]
local progress = {} ---@type table<string|integer, fun(value: table)>
local last_token = 0

---What to do whenever a daemon is ready.
---@type fun()[]
M.on_ready = {}

---@return vim.lsp.Client?
local function living()
  return clients.living(client_id)
end

---@param message string
---@param hint? string
---@return forge.Error
local function unavailable(message, hint)
  return { code = "UNAVAILABLE", message = message, hint = hint, retriable = true }
end

---@param job forge.Job
---@param error? forge.Error
---@param result? any
local function finish(job, error, result)
  if job.done then
    return
  end
  job.done, jobs[job] = true, nil
  progress[job.params.workDoneToken or ""] = nil
  job.callback(error, result)
end

---@param raw lsp.ResponseError
---@return forge.Error
local function error_of(raw)
  local error = vim.tbl_extend("force", { code = "INTERNAL" }, raw.data or {}, { message = raw.message })
  if error.code == "SANDBOX_VIOLATION" then -- Neovim has no folders to open.
    local client = living()
    local has_project = client and #(client.workspace_folders or {}) > 0
    local markers = table.concat(config.get().root_markers, ", ")
    error.hint = has_project and ":Forge open {file} opens it by hand"
      or ("no project is open: the root of one holds one of %s; :Forge open {file} opens any file"):format(markers)
  end
  return error
end

---@param job forge.Job
local function send(job)
  local client = assert(living())
  local sent
  sent, job.id = clients.call(client, "request", job.method, job.params, function(error, result)
    finish(job, error and error_of(clients.without_null(error)), clients.without_null(result))
  end)
  if not sent then
    finish(job, unavailable("the daemon has just ended", "try again"))
  end
end

---@return string
local function command_line()
  return table.concat(config.get().cmd, " ")
end

---@return forge.Error
local function not_a_daemon()
  return unavailable(("%s does not answer as the daemon does"):format(command_line()), ":checkhealth forge")
end

local function on_ready()
  ready = true
  for _, act in ipairs(M.on_ready) do
    act()
  end
  local queue = waiting
  waiting = {}
  for _, job in ipairs(queue) do
    if not job.done then
      send(job)
    end
  end
end

---@return string
local function how_often()
  return ("%d times in %d minutes"):format(MAX_CRASHES + 1, WITHIN_SECONDS / 60)
end

---@return boolean whether it should be started again
local function count_crash()
  local now = os.time()
  table.insert(crashes, now)
  crashes = vim.tbl_filter(function(time)
    return now - time < WITHIN_SECONDS
  end, crashes)
  return #crashes <= MAX_CRASHES
end

---@param error forge.Error
local function fail_all(error)
  waiting = {}
  for job in pairs(jobs) do
    finish(job, error)
  end
end

---Reads can be repeated: what was asked of a daemon that crashed is asked of the next one, once.
local function queue_again()
  waiting = {}
  for job in pairs(jobs) do
    if job.was_sent_again then
      finish(job, unavailable("the daemon ended before it answered", "try again"))
    else
      job.id, job.was_sent_again = nil, true
      table.insert(waiting, job)
    end
  end
end

local function on_exit()
  local expected, was_ready = stopping, ready
  client_id, ready, stopping = nil, false, false
  log.add(("the daemon ended (code %d, signal %d)"):format(clients.exit.code, clients.exit.signal))
  if vim.v.exiting ~= vim.NIL then
    return
  end
  if expected then
    return fail_all(unavailable("the daemon was stopped", "try again"))
  elseif clients.is_foreign then
    return fail_all(not_a_daemon())
  elseif not was_ready then
    local exit = clients.exit
    local how = exit.signal ~= 0 and ("by signal %d"):format(exit.signal) or ("with code %d"):format(exit.code)
    return fail_all(unavailable(("%s ended %s before it was ready"):format(command_line(), how), ":checkhealth forge"))
  elseif not count_crash() then
    given_up = true
    local error = unavailable("the daemon ended " .. how_often(), ":Forge log says more, :Forge restart tries again")
    messages.fail(error)
    return fail_all(error)
  end
  if not crash_was_told then
    crash_was_told = true
    messages.warn("the daemon ended unexpectedly and was started again")
  end
  queue_again()
  M.start()
end

local LEVELS = { "error", "warning", "info", "log", "debug" }

---What the daemon warned of since it was started, as of settings that it ignores.
---@type table<string, true>
M.warnings = {}

---What the daemon sends by itself.
M.handlers = {
  ["window/logMessage"] = function(_, params)
    log.add(("%s: %s"):format(LEVELS[params.type] or "log", params.message))
  end,
  ["window/showMessage"] = function(_, params)
    if params.type > vim.lsp.protocol.MessageType.Warning then
      return messages.say(params.message)
    end
    M.warnings[params.message] = true
    messages.warn(params.message)
  end,
  ["$/progress"] = function(error, params, context)
    vim.lsp.handlers["$/progress"](error, params, context)
    local show = progress[params.token]
    if show then
      show(params.value)
    end
  end,
}

---Take over a daemon that `vim.lsp.enable("forge")` started.
---@return vim.lsp.Client?
local function adopt()
  local client = clients.enabled()
  if not client then
    return
  end
  client_id = client.id
  client.handlers = vim.tbl_extend("force", client.handlers, M.handlers)
  vim.api.nvim_create_autocmd("LspDetach", {
    group = vim.api.nvim_create_augroup("forge_adopted", {}),
    callback = vim.schedule_wrap(function(event)
      if event.data.client_id == client_id and not living() then
        on_exit()
      end
    end),
  })
  on_ready()
  return client
end

---@param id integer
local function expect_ready(id)
  vim.defer_fn(function()
    local client = client_id == id and not ready and living()
    if client then
      stopping = true
      clients.call(client, "stop", true)
      fail_all(not_a_daemon())
    end
  end, START_MS)
end

---The running daemon, or a new one.
---@return vim.lsp.Client?
---@return forge.Error?
function M.start()
  local client = living() or adopt()
  if client then
    return client
  end
  if given_up then
    return nil, unavailable("the daemon ended " .. how_often(), ":Forge restart tries again")
  end
  local fault = config.faults()[1]
  if fault then
    return nil, unavailable(fault, ":help forge-configuration")
  end
  local program = config.get().cmd[1]
  if vim.fn.executable(program) == 0 then
    return nil, unavailable(program .. " was not found", "`make install` in a clone, or set cmd; :checkhealth forge")
  end
  stopping, M.warnings = false, {}
  local failure
  client_id, failure = clients.start(M.handlers, function(id)
    if id == client_id then
      log.add("ready: " .. command_line())
      on_ready()
    end
  end, function(id)
    if id == client_id then
      on_exit()
    end
  end)
  client = living()
  if not client then
    log.add(failure or "")
    return nil, unavailable(command_line() .. " could not be started", ":checkhealth forge")
  end
  expect_ready(client.id)
  return client
end

---The daemon, if one is ready.
---@return vim.lsp.Client?
function M.ready()
  return ready and living() or nil
end

---@return integer?
function M.client_id()
  return client_id
end

---What the daemon tells about itself.
---@return {version: string, protocol_version: string}?
function M.about()
  local client = M.ready()
  return client and vim.tbl_get(client.server_capabilities, "experimental", "forge")
end

function M.notify(method, params)
  local client = M.ready()
  if client then
    clients.call(client, "notify", method, params)
  end
end

---Empty tables are arrays in JSON, where an object is wanted.
---@generic T : table
---@param fields T
---@return T
local function object(fields)
  return next(fields) == nil and vim.empty_dict() or fields
end

---@param params table
---@return vim.lsp.Client?
---@return forge.Error?
local function client_for(params)
  if params.path and not names.is_utf8(params.path) then
    return nil, { code = "INVALID_ARGUMENT", message = vim.fn.strtrans(params.path) .. ": the name is not in UTF-8" }
  end
  return M.start()
end

---Ask the daemon. The callback is called exactly once, never before this returns.
---@param method string
---@param params table
---@param callback fun(error?: forge.Error, result?: any)
---@param on_progress? fun(value: table) LSP's begin, report and end.
---@return fun() cancel
function M.request(method, params, callback, on_progress)
  params = object(vim.deepcopy(params))
  if on_progress then
    last_token = last_token + 1
    params.workDoneToken = ("forge-nvim-%d"):format(last_token)
    progress[params.workDoneToken] = on_progress
  end
  ---@type forge.Job
  local job = { method = method, params = params, callback = callback }
  jobs[job] = true
  local client, failure = client_for(params)
  if not client then
    vim.schedule(function()
      finish(job, failure)
    end)
  elseif ready then
    send(job)
  else
    table.insert(waiting, job)
  end
  return function()
    if job.done then
      return
    end
    if job.id and living() then
      clients.call(living(), "cancel_request", job.id)
    end
    finish(job, { code = "CANCELLED", message = "cancelled" })
  end
end

---@param command string
---@param argument table
---@param callback fun(error?: forge.Error, result?: any)
---@return fun() cancel
function M.command(command, argument, callback)
  local params = { command = command, arguments = { object(argument) } }
  return M.request("workspace/executeCommand", params, callback)
end

---Start anew, whatever happened before.
function M.restart()
  given_up, crash_was_told, crashes = false, false, {}
  local client = living()
  if not client then
    return M.start()
  end
  stopping = true
  local function is_gone()
    return client_id ~= client.id
  end
  clients.call(client, "stop")
  if not vim.wait(1000, is_gone, 10) then
    clients.call(client, "stop", true)
    vim.wait(1000, is_gone, 10)
  end
  return M.start()
end

return M
