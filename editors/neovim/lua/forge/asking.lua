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
local INTERRUPTED = -2

---@return boolean
local function was_typed_ahead()
  local next_key = vim.fn.getchar(1)
  return next_key ~= 0 and next_key ~= CTRL_C
end

---What was typed before CTRL-C would be done in whatever buffer one is in afterwards.
local function drop_typed_ahead()
  while vim.fn.getchar(0) ~= 0 do
  end
end

---Wait a moment for what usually takes less.
---@param answered fun(): boolean
---@return boolean was_interrupted by CTRL-C
function M.wait_for(answered)
  local is_macro = vim.fn.reg_executing() ~= ""
  local done, reason = vim.wait(is_macro and PATIENCE_IN_MACRO_MS or PATIENCE_MS, answered, 1)
  if not done and reason ~= INTERRUPTED and not is_macro then
    done, reason = vim.wait(PATIENCE_WITH_KEYS_MS, function()
      return answered() or not was_typed_ahead()
    end, 1)
  end
  local was_interrupted = not done and reason == INTERRUPTED
  if was_interrupted then
    drop_typed_ahead()
  end
  return was_interrupted
end

---What a request about the text of the file says, whatever lines of it are shown.
---@param view forge.View
---@param params table
---@return table
function M.about_text(view, params)
  local text = { path = view.path, ansi = view.is_coloured and "strip" or nil }
  return vim.tbl_extend("force", view:file_parameters(), text, params)
end

---What a request about the lines that are shown says.
---@param view forge.View
---@param params table
---@return table
function M.about(view, params)
  return vim.tbl_extend("keep", { path = view.path }, params, view:parameters())
end

---What a request for a window says.
---@param view forge.View
---@param selector table
---@return table
function M.window(view, selector)
  local columns = { start = 1, count = M.WIDTH }
  local defaults = { max_lines = M.PAGE, on_binary = "refuse", columns = columns }
  defaults.filter = view:window_filter()
  return M.about(view, vim.tbl_extend("force", defaults, selector))
end

---Ask for something that nobody waits for, with all that the request says.
---@param view forge.View
---@param method string
---@param params table
---@param take fun(answer: any)
---@param failed? fun(error: forge.Error)
---@return fun() cancel
function M.ask_plainly(view, method, params, take, failed)
  return daemon.request(method, params, function(error, answer)
    if not view:is_open() then
      return
    end
    if answer then
      take(answer)
    elseif error.code ~= "CANCELLED" then
      (failed or messages.fail)(error)
    end
  end)
end

---The same about the lines that are shown.
---@param view forge.View
---@param method string
---@param params table
---@param take fun(answer: any)
---@param failed? fun(error: forge.Error)
---@return fun() cancel
function M.ask(view, method, params, take, failed)
  return M.ask_plainly(view, method, M.about(view, params), take, failed)
end

---@param view forge.View
---@param selector table
---@param take fun(page: forge.ReadFileResult)
---@param failed? fun(error: forge.Error)
---@return fun() cancel
function M.fetch(view, selector, take, failed)
  return M.ask(view, "forge/readFile", M.window(view, selector), take, failed)
end

return M
