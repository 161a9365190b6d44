---Keys that mean the file in a window, not the few lines of it that are loaded.
local find = require("forge.find")
local messages = require("forge.messages")
local travel = require("forge.travel")
local views = require("forge.view")

local M = {}

---As if it were not mapped, and before whatever was typed behind it.
---@param key string
local function plainly(key)
  local count = vim.v.count > 0 and vim.v.count or ""
  vim.api.nvim_feedkeys(count .. vim.keycode(key), "ni", false)
end

---@param view forge.View
---@param key string
---@param act fun()
---@param description string
local function map(view, key, act, description)
  vim.keymap.set("n", key, act, { buffer = view.buf, nowait = true, desc = "forge: " .. description })
end

---@param view forge.View
function M.map(view)
  map(view, "gg", function()
    travel.go_to(view, vim.v.count1)
  end, "to the file's first line, or to line {count}")
  map(view, "G", function()
    travel.go(view, vim.v.count > 0 and vim.v.count or "end")
  end, "to the file's last line, or to line {count}")
  for _, key in ipairs({ "<C-f>", "<C-b>", "<C-d>", "<C-u>", "<PageDown>", "<PageUp>" }) do
    map(view, key, function()
      travel.grow(view)
      plainly(key)
    end, "scroll, and load what comes")
  end
  map(view, "n", function()
    if not find.again(view, "forward") then
      plainly("n")
    end
  end, "next match in the file")
  map(view, "N", function()
    if not find.again(view, "backward") then
      plainly("N")
    end
  end, "previous match in the file")
  map(view, "<C-c>", function()
    if view:stop() then
      messages.say("stopped")
    else
      plainly("<C-c>")
    end
  end, "stop what is running")
end

---Where `:1204113`, `:$`, `:+100` and `:-100` go, which mean the file's lines too.
---@param view forge.View
---@param command string
---@return forge.Start?
local function target_of(view, command)
  if command == "$" then
    return "end"
  end
  local sign, digits = command:match("^([+-]?)(%d*)$")
  if not sign or command == "" then
    return
  end
  local number = tonumber(digits) or 1
  local line = sign == "" and number or view:line() + (sign == "+" and number or -number)
  return math.max(1, line)
end

---What was typed in the command line is about to be done.
function M.on_command_line_left()
  local view = views.of()
  if not view or vim.v.event.abort then
    return
  end
  local kind = vim.v.event.cmdtype
  if kind == "/" or kind == "?" then
    view.pattern = nil -- `n` goes on with what was searched for last.
    return
  end
  local target = kind == ":" and target_of(view, vim.trim(vim.fn.getcmdline()))
  if target then
    vim.cmd("let v:event.abort = v:true")
    vim.schedule(function()
      travel.go(view, target)
    end)
  end
end

return M
