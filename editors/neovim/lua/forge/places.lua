---Marks and jumps, which mean the file's lines and not those that happen to be loaded.
local changes = require("forge.changes")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local travel = require("forge.travel")

local M = {}

local MOST_JUMPS = 100

---@class forge.Jump : forge.Place
---@field buf? integer Another buffer, whose place it knows itself.

---@class forge.Places
---@field left? forge.Place Where the last jump started.
---@field jumps forge.Jump[]
---@field index integer Which jump one is at; after the last one: none.

---Capital letters and digits name places in any file.
---@type table<string, {path: string, rotated?: true, place: forge.Place}>
local global_marks = {}

---Small letters name places in a file, the same in every window on it.
---@type table<string, table<string, forge.Place>>
local file_marks = {}

---@param view forge.View
---@return table<string, forge.Place>
local function marks_in(view)
  local text = (view.rotated and "rotated:" or "") .. view.path -- Its lines have other numbers.
  file_marks[text] = file_marks[text] or {}
  return file_marks[text]
end

---@param view forge.View
---@return forge.Places
local function places_of(view)
  view.places = view.places or { jumps = {}, index = 1 }
  return view.places
end

---@param view forge.View
---@param place forge.Jump
local function add_jump(view, place)
  local places = places_of(view)
  places.jumps = vim.tbl_filter(function(other)
    return other.line ~= place.line or other.buf ~= place.buf
  end, places.jumps)
  table.insert(places.jumps, place)
  while #places.jumps > MOST_JUMPS do
    table.remove(places.jumps, 1)
  end
  places.index = #places.jumps + 1
end

---The cursor is about to jump: remember where it is.
---@param view forge.View
function M.leave(view)
  local place = view:place()
  if place.line > 0 then
    places_of(view).left = place
    add_jump(view, place)
  end
end

---The person came here from another view of the file, and may go back.
---@param view forge.View
---@param from forge.View
function M.come_from(view, from)
  add_jump(view, { line = 0, column = 0, buf = from.buf })
end

---Refuse a line that is not loaded, where the name of the file means another one by now: that one has other lines.
---@param view forge.View
---@param target forge.Start
---@return boolean
local function refuse_unloaded(view, target)
  local is_loaded = target == "end" or view:is_numbered() and view:row(target --[[@as integer]])
  return not is_loaded and changes.refuse_old(view)
end

---To a place, and remember this one.
---@param view forge.View
---@param target forge.Start
---@param arrival? forge.Arrival
function M.jump(view, target, arrival)
  if refuse_unloaded(view, target) then
    return
  end
  M.leave(view)
  travel.go(view, target, arrival)
end

---@param view forge.View
---@param mark string
function M.set(view, mark)
  if view:line() < 0 then
    messages.warn(messages.STILL_COUNTING)
  elseif mark:find("^['`]$") then
    places_of(view).left = view:place()
  elseif mark:find("^[a-z]$") then
    marks_in(view)[mark] = view:place()
  elseif mark:find("^[A-Z0-9]$") then
    global_marks[mark] = { path = view.path, rotated = view.rotated, place = view:place() }
  end
end

---@param view forge.View
---@param mark string
---@return forge.Place?
---@return {path: string, rotated?: true}? text where it is in another one
function M.get(view, mark)
  if mark == "<" or mark == ">" then
    return view.selected and view.selected[mark == "<" and 1 or 2]
  elseif mark:find("^[A-Z0-9]$") then
    local found = global_marks[mark]
    local is_other = found and (found.path ~= view.path or found.rotated ~= view.rotated)
    return found and found.place, is_other and found or nil
  elseif mark == "'" or mark == "`" then
    return places_of(view).left
  end
  return marks_in(view)[mark]
end

---@param view forge.View
---@param mark string
---@param to_column boolean
function M.go_to_mark(view, mark, to_column)
  local place, text = M.get(view, mark)
  if not place then
    return messages.fail({ code = "INVALID_ARGUMENT", message = ("mark %s is not set"):format(mark) })
  elseif text then
    M.leave(view)
    local column = to_column and place.column + 1 or nil
    return require("forge.window").open(text.path, { start = place.line, column = column, rotated = text.rotated })
  end
  M.jump(view, place.line, {
    column = to_column and place.column or nil,
    arrived = function()
      if not view.filter and view:line() < place.line then -- The file became shorter.
        local shorter = "mark %s was in line %s; %s ends before that"
        messages.warn(shorter:format(mark, numbers.grouped(place.line), vim.fs.basename(view.path)))
      end
    end,
  })
end

---Through the jumps to other buffers, which Neovim knows.
---@param view forge.View
---@param step -1|1
local function jump_to_other_buffer(view, step)
  local list, index = unpack(vim.fn.getjumplist())
  local position = index + 1 + step
  while list[position] and list[position].bufnr == view.buf do
    position = position + step
  end
  if list[position] then
    local keys = vim.keycode(step < 0 and "<C-o>" or "<C-i>")
    vim.api.nvim_feedkeys(math.abs(position - index - 1) .. keys, "n", false)
  end
end

---@param view forge.View
---@param step integer negative: to older jumps
function M.travel(view, step)
  local places = places_of(view)
  if step < 0 and places.index > #places.jumps then
    add_jump(view, view:place())
    places.index = #places.jumps
  end
  local target = places.jumps[places.index + step]
  if not target then
    return jump_to_other_buffer(view, step < 0 and -1 or 1)
  elseif not target.buf and refuse_unloaded(view, target.line) then
    return
  end
  places.index = places.index + step
  if not target.buf then
    travel.go(view, target.line, { column = target.column })
  elseif vim.api.nvim_buf_is_valid(target.buf) then
    vim.cmd.buffer(target.buf)
  else
    table.remove(places.jumps, places.index)
    M.travel(view, step)
  end
end

---@param view forge.View
---@return string[] the marks as `:marks` shows them
function M.list(view)
  local lines = { "mark       line  col" }
  local here = vim.tbl_extend("force", marks_in(view), { ["'"] = places_of(view).left })
  for mark, place in vim.spairs(here) do
    table.insert(lines, (" %s %12d %4d"):format(mark, place.line, place.column))
  end
  for mark, found in vim.spairs(global_marks) do
    local name = vim.fn.fnamemodify(found.path, ":~:.")
    table.insert(lines, (" %s %12d %4d %s"):format(mark, found.place.line, found.place.column, name))
  end
  return lines
end

---@param view forge.View
---@return string[] the jumps as `:jumps` shows them
function M.list_jumps(view)
  local places, lines = places_of(view), { " jump       line  col" }
  for index, jump in ipairs(places.jumps) do
    local distance = math.abs(index - places.index)
    local sign = index == places.index and ">" or " "
    local where = jump.buf and vim.fn.bufname(jump.buf) or ""
    table.insert(lines, ("%s%4d %10d %4d %s"):format(sign, distance, jump.line, jump.column, where))
  end
  if places.index > #places.jumps then
    table.insert(lines, ">")
  end
  return lines
end

---@param view forge.View
function M.clear_jumps(view)
  local places = places_of(view)
  places.jumps, places.index = {}, 1
end

---@param view forge.View
---@param marks string as in `a c-f`
function M.delete(view, marks)
  local all = marks:gsub("(%w)%-(%w)", function(first, last)
    local range = {}
    for byte = first:byte(), last:byte() do
      table.insert(range, string.char(byte))
    end
    return table.concat(range)
  end)
  for mark in all:gmatch("%S") do
    marks_in(view)[mark] = nil
    global_marks[mark] = nil
  end
end

return M
