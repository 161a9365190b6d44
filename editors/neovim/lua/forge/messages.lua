---Messages to the user: one line, short enough to need no Enter. The log has the full text.
local log = require("forge.log")

local M = {}

---@param text string
---@return string
local function fitting(text)
  local room = vim.v.echospace
  if room < 1 then
    return ""
  elseif vim.api.nvim_strwidth(text) <= room then
    return text
  end
  return vim.fn.strcharpart(text, 0, room - 1) .. "…"
end

---@param text string
---@param highlight string?
---@param keep boolean
local function show(text, highlight, keep)
  text = text:gsub("%c", " ")
  vim.cmd.redraw() -- After a command of several lines, or another message, Neovim would ask for Enter.
  vim.api.nvim_echo({ { fitting("forge: " .. text), highlight } }, keep, {})
end

---@param text string
function M.say(text)
  log.add(text)
  show(text, nil, true)
end

---@param text string
function M.warn(text)
  log.add(text)
  show(text, "WarningMsg", true)
end

---@param error forge.Error
function M.fail(error)
  local text = error.hint and ("%s (%s)"):format(error.message, error.hint) or error.message
  log.add(text)
  show(text, "ErrorMsg", true)
end

---@param question string
---@param choices string as in `&Yes\n&No`
---@param default integer
---@return integer which one was chosen; 0: none, by Escape or CTRL-C
function M.choose(question, choices, default)
  local answered, choice = pcall(vim.fn.confirm, question, choices, default) -- CTRL-C raises an error.
  vim.cmd("redraw!") -- Otherwise whatever is said next makes Neovim ask for Enter.
  return answered and choice or 0
end

---Why something that needs the numbers of lines cannot be done yet.
M.STILL_COUNTING = "the lines are still being counted; try again in a moment"

---Something that needs the lines of a window was asked for before they came.
---@param path string
function M.say_still_reading(path)
  M.warn(("%s is still being read; try again in a moment"):format(vim.fs.basename(path)))
end

local progress_is_shown = false

---How far something is. Not kept: the next one takes its place.
---@param text string
function M.progress(text)
  progress_is_shown = true
  show(text, nil, false)
  vim.cmd.redraw()
end

---What took time has ended.
function M.end_progress()
  if progress_is_shown then
    progress_is_shown = false
    vim.api.nvim_echo({ { "" } }, false, {})
  end
end

---What was asked for. Not kept.
---@param text string
function M.tell(text)
  progress_is_shown = false
  show(text, nil, false)
end

---What can be seen without it, too: where 'cmdheight' is 0 it is not worth an Enter.
---@param text string
function M.mention(text)
  M.tell(text)
  if vim.o.cmdheight == 0 then
    vim.cmd.redraw()
  end
end

return M
