---Keys that move by the file's lines, and what operators do with those lines.
local changes = require("forge.changes")
local counting = require("forge.counting")
local loading = require("forge.loading")
local mapping = require("forge.mapping")
local messages = require("forge.messages")
local places = require("forge.places")
local travel = require("forge.travel")
local yank = require("forge.yank")

local M = {}

local choose, map, plainly = mapping.choose, mapping.map, mapping.plainly

---What an operator does with the lines up to another one of the file.
---@param view forge.View
---@param target forge.Start
---@return fun()
function M.operate(view, target)
  local operator, register, here = vim.v.operator, vim.v.register, view:line()
  return function()
    if operator ~= "y" then
      return messages.fail({ code = "INVALID_ARGUMENT", message = "a window cannot be changed; y yanks from the file" })
    elseif not view.etag then
      return messages.say_still_reading(view.path)
    elseif here < 0 then
      return messages.warn(messages.STILL_COUNTING)
    elseif target == "end" then
      return yank.lines(view, { first = here }, register)
    end
    local start = target < here and { line = target, column = 0 } or nil
    yank.lines(view, { first = math.min(here, target), last = math.max(here, target) }, register, start)
  end
end

---A motion to a line of the file, for normal mode, selections and operators.
---@param view forge.View
---@param keys string[]
---@param target fun(): forge.Start?, forge.Arrival?
---@param description string
function M.map_line(view, keys, target, description)
  for _, key in ipairs(keys) do
    map(view, { "n", "x" }, key, function()
      local line, arrival = target()
      if line then
        places.jump(view, line, arrival or { column = view:kept_column() })
      end
    end, description)
    choose(view, key, function()
      local line = target()
      return line and M.operate(view, line)
    end, description)
  end
end

---@param view forge.View
---@param steps integer how many rows down; negative: up
---@return integer? target its number among the lines that count; nil where Neovim gets there by itself
local function beyond(view, steps)
  local row = vim.fn.line(".") + steps
  if row >= 1 and row <= view.count then
    return
  elseif row > view.count and view.at_end and vim.fn.line(".") < view.count then
    return
  elseif row < 1 and view:starts_with_first() then
    return
  end
  return math.max(1, view:ordinal(row))
end

---What an operator does with the lines up to one that is not loaded.
---@param view forge.View
---@param steps integer
---@return fun()?
function M.operate_beyond(view, steps)
  local target = beyond(view, steps)
  if target and view.filter then
    return function()
      messages.fail({ code = "INVALID_ARGUMENT", message = "not all of these lines are loaded; yG takes the rest" })
    end
  end
  return target and M.operate(view, target)
end

---@param view forge.View
---@param keys string[]
---@param direction 1|-1
---@param description string
function M.map_rows(view, keys, direction, description)
  for _, key in ipairs(keys) do
    if vim.fn.maparg(key, "n") == "" then
      map(view, { "n", "x" }, key, function()
        local target = beyond(view, direction * vim.v.count1)
        if not target then
          return plainly(key)
        elseif changes.refuse_old(view) then
          return
        elseif direction > 0 and view.at_end then
          return loading.wait_for_new(view) and plainly(key)
        elseif not view:is_numbered() then
          return loading.grow(view)
        elseif view.origin and direction < 0 then
          loading.grow(view)
          return plainly(key)
        end
        travel.go_to_ordinal(view, target, { column = view:place().column }, view.origin)
      end, description)
      choose(view, key, function()
        return M.operate_beyond(view, direction * vim.v.count1)
      end, description)
    end
  end
end

---Scroll, unless there is more and it has not come yet: Neovim would beep, and forget what was typed after it.
---@param view forge.View
---@param key string
---@param direction 1|-1
function M.scroll(view, key, direction)
  loading.grow(view)
  local is_waiting = direction > 0 and vim.fn.line("w$") >= view.count and not view.at_end
    or direction < 0 and vim.fn.line("w0") <= 1 and view:has_lines_above()
  if not is_waiting then
    plainly(key)
  else
    changes.refuse_old(view)
  end
end

---@param view forge.View
---@param key string
---@param direction 1|-1
function M.map_page(view, key, direction)
  map(view, { "n", "x" }, key, function()
    local count = vim.v.count1
    local height = math.max(1, vim.api.nvim_win_get_height(0) - 2)
    local row = vim.fn.line(direction > 0 and "w0" or "w$") + direction * count * height
    local is_beyond = row < 1 and not view.origin or row > view.count
    if count > 1 and is_beyond and view:is_numbered() and not view.is_old then
      local place = direction > 0 and "zt" or "zb"
      return travel.go_to_ordinal(view, math.max(1, view:ordinal(row)), { scroll = place }, view.origin)
    elseif direction > 0 and view.at_end and not view.is_old and vim.fn.line("w$") >= view.count then
      return loading.wait_for_new(view) and plainly(key)
    end
    M.scroll(view, key, direction)
  end, "scroll, and load what comes")
end

---@param view forge.View
---@param percentage integer
function M.go_to_percentage(view, percentage)
  if changes.refuse_old(view) then
    return
  end
  local function go(total)
    places.leave(view)
    -- As Neovim rounds it.
    local ordinal = math.max(1, math.min(total, math.floor((percentage * total + 99) / 100)))
    travel.go_to_ordinal(view, ordinal, { column = view:kept_column() })
  end
  if view.total then
    return go(view.total)
  end
  counting.now(view, go)
end

return M
