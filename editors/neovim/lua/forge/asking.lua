---Asking the daemon about the file of a view, and waiting for the answer.
local daemon = require("forge.daemon")
local messages = require("forge.messages")

local M = {}

---How many lines one answer has.
M.PAGE = 1000
---How much of a line is shown, in characters: longer ones would make Neovim slow.
M.WIDTH = 20000

---How long a key waits for its page before the person can type on.
local PATIENCE_MS = 250
---How long it waits where other keys were typed after it, or come from a macro: they count on it.
local PATIENCE_WITH_KEYS_MS = 3000
local PATIENCE_IN_MACRO_MS = 30000
local CTRL_C = 3

---@return boolean
local function was_typed_ahead()
  local next_key = vim.fn.getchar(1)
  return next_key ~= 0 and next_key ~= CTRL_C
end

---Wait a moment for what usually takes less.
---@param answered fun(): boolean
function M.wait_for(answered)
  if vim.fn.reg_executing() ~= "" then
    vim.wait(PATIENCE_IN_MACRO_MS, answered, 1)
  elseif not vim.wait(PATIENCE_MS, answered, 1) then
    vim.wait(PATIENCE_WITH_KEYS_MS, function()
      return answered() or not was_typed_ahead()
    end, 1)
  end
end

---@param view forge.View
---@param method string
---@param params table
---@param take fun(answer: any)
---@param failed? fun(error: forge.Error)
---@param on_progress? fun(value: table)
---@return fun() cancel
---@return fun(): boolean answered
function M.ask(view, method, params, take, failed, on_progress)
  local answered = false
  params = vim.tbl_extend("keep", { path = view.path }, params, view:parameters())
  local cancel = daemon.request(method, params, function(error, answer)
    answered = true
    if not view:is_open() then
      return
    end
    if answer then
      take(answer)
    elseif error.code ~= "CANCELLED" then
      (failed or messages.fail)(error)
    end
  end, on_progress)
  return cancel, function()
    return answered
  end
end

---@param view forge.View
---@param selector table
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
---@param on_progress? fun(value: table)
---@return fun() cancel
---@return fun(): boolean answered
function M.fetch(view, selector, take, failed, on_progress)
  local columns = { start = 1, count = M.WIDTH }
  local params = vim.tbl_extend("force", { max_lines = M.PAGE, on_binary = "refuse", columns = columns }, selector)
  return M.ask(view, "forge/readFile", params, take, failed, on_progress)
end

---Shows how far something is that a person waits for.
---@param view forge.View
---@param doing string
---@return fun(value: table)
function M.reporter(view, doing)
  return function(value)
    if view.cancel and value.kind ~= "end" then
      local name = vim.fs.basename(view.path)
      messages.progress(("%s %s, %d %%, CTRL-C stops"):format(doing, name, value.percentage or 0))
    end
  end
end

---Ask for something that a person waits for. Another such request takes its place.
---@param view forge.View
---@param doing string
---@param start fun(done: fun(), on_progress: fun(value: table)): fun(), fun(): boolean
function M.wait_in(view, doing, start)
  view:stop()
  view.stop_counting()
  local cancel, answered = start(function()
    view.cancel = nil
    messages.end_progress()
  end, M.reporter(view, doing))
  view.cancel = function()
    cancel()
    messages.end_progress()
    require("forge.counting").soon(view)
  end
  M.wait_for(answered)
end

return M
