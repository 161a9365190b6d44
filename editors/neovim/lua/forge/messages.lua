---Messages to the user: one line, short enough to need no Enter. The log has the full text.
local log = require("forge.log")
local mapping = require("forge.mapping")

local M = {}

---How long another message stays before how far something is takes its place.
local READING_MS = 3000

local progress ---@type string? how far something is, as it was shown last
local quiet_until = 0 -- Another message is being read until then.

---@param text string
---@param room integer
---@return string
local function cut(text, room)
  if vim.api.nvim_strwidth(text) <= room then
    return text
  end
  return vim.fn.strcharpart(text, 0, math.max(0, room - 1)) .. "…"
end

---@param text string
---@param end_of_text? string what is kept where not all of it fits
---@return string
local function fitting(text, end_of_text)
  local room = vim.v.echospace
  end_of_text = end_of_text or ""
  local left = room - vim.api.nvim_strwidth(end_of_text)
  if room < 1 then
    return ""
  elseif left < 20 then
    return cut(text .. end_of_text, room)
  end
  return cut(text, left) .. end_of_text
end

---@param text string
---@param highlight string?
---@param keep boolean
---@param end_of_text? string
---@return string shown
local function show(text, highlight, keep, end_of_text)
  local shown = fitting(text:gsub("%c", " "), end_of_text and end_of_text:gsub("%c", " "))
  vim.cmd.redraw() -- After a command of several lines, or another message, Neovim would ask for Enter.
  vim.api.nvim_echo({ { shown, highlight } }, keep, {})
  progress, quiet_until = nil, vim.uv.now() + READING_MS
  return shown
end

---@return string what the message line shows
local function on_screen()
  local row, cells = vim.o.lines - math.max(1, vim.o.cmdheight) + 1, {}
  for column = 1, vim.o.columns do
    cells[column] = vim.fn.screenstring(row, column)
  end
  return vim.trim(table.concat(cells))
end

---@param text string
function M.say(text)
  log.add(text)
  show("forge: " .. text, nil, true)
end

---@param text string
function M.warn(text)
  log.add(text)
  show("forge: " .. text, "WarningMsg", true)
end

---The daemon's hints are for agents as well. People get shorter ones.
---@param error forge.Error
---@return string?
local function hint_of(error)
  if error.code == "POLICY_DENIED" then
    return "to allow it, see :help forge-secrets"
  elseif error.message:find(": not a regular expression", 1, true) then
    return error.hint and ":help forge-find"
  elseif error.message:find(": not a time: ", 1, true) then
    return "14:05, 2026-11-16T14:05, -5m or now"
  elseif error.message:find(": the text has no times", 1, true) then
    return
  end
  return error.hint
end

---@param error forge.Error
function M.fail(error)
  local hint = hint_of(error)
  hint = hint and (" (%s)"):format(hint) or ""
  log.add(error.message .. hint)
  local text = error.code == "POLICY_DENIED" and error.message:gsub(" %(.*%)$", "") or error.message
  for _, parameter in ipairs({ "filter%.[^:]+", "pattern", "time" }) do -- Nobody typed their names.
    text = text:gsub(": " .. parameter .. ": ", ": ", 1)
  end
  show("forge: " .. text, "ErrorMsg", true, hint)
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

---The person has just asked for something that may take long, and awaits word of that.
function M.expect_progress()
  progress, quiet_until = nil, 0
end

---How far something is. Not kept: the next one takes its place. Other messages, and what is being typed, stay.
---@param text string
function M.progress(text)
  if progress and on_screen() ~= progress then
    progress, quiet_until = nil, vim.uv.now() + READING_MS
  end
  if vim.fn.getcmdtype() == "" and vim.uv.now() >= quiet_until then
    local shown = show("forge: " .. text, nil, false)
    vim.cmd.redraw()
    progress, quiet_until = vim.trim(shown), 0
  end
end

---What took time has ended.
function M.end_progress()
  if progress and on_screen() == progress then
    vim.api.nvim_echo({ { "" } }, false, {})
  end
  progress = nil
end

---What was asked for. Not kept.
---@param text string
function M.tell(text)
  show("forge: " .. text, nil, false)
end

---An answer of several lines. Neovim asks for keys where they do not fit, which must not happen while one waits.
---@param lines string[]
function M.print(lines)
  mapping.run_next(function()
    vim.cmd.redraw() -- Nothing that was said before is part of it.
    vim.api.nvim_echo({ { table.concat(lines, "\n") } }, true, {})
  end)
end

---Where a search arrived. Not kept; it can be seen without it, too: where 'cmdheight' is 0 it is not worth an Enter.
---@param pattern string
---@param place string
---@return string shown
function M.tell_match(pattern, place)
  local shown = show(pattern, nil, false, place)
  if vim.o.cmdheight == 0 then
    vim.cmd.redraw()
  end
  return vim.trim(shown)
end

---@param shown string
---@return boolean whether it can still be seen
function M.is_shown(shown)
  return vim.o.cmdheight > 0 and vim.fn.getcmdtype() == "" and on_screen() == shown
end

return M
