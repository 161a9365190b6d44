---Keys that mean the file in a window, not the few lines of it that are loaded.
local copy = require("forge.copy")
local counting = require("forge.counting")
local find = require("forge.find")
local loading = require("forge.loading")
local long_lines = require("forge.long_lines")
local mapping = require("forge.mapping")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local places = require("forge.places")
local ranges = require("forge.ranges")
local selection = require("forge.selection")
local travel = require("forge.travel")
local views = require("forge.view")

local M = {}

local choose, map, plainly = mapping.choose, mapping.map, mapping.plainly

---What an operator does with the lines up to another one of the file.
---@param view forge.View
---@param target forge.Start
---@return fun()
local function operate(view, target)
  local operator, register, here = vim.v.operator, vim.v.register, view:line()
  return function()
    if operator ~= "y" then
      return messages.fail({ code = "INVALID_ARGUMENT", message = "a window cannot be changed; y yanks from the file" })
    elseif not view.etag then
      return messages.say_still_reading(view.path)
    elseif here < 0 then
      return messages.warn(messages.STILL_COUNTING)
    elseif target == "end" then
      return copy.yank(view, { first = here }, register)
    end
    copy.yank(view, { first = math.min(here, target), last = math.max(here, target) }, register)
  end
end

---A motion to a line of the file, for normal mode, selections and operators.
---@param view forge.View
---@param keys string[]
---@param target fun(): forge.Start?, forge.Arrival?
---@param description string
local function map_line(view, keys, target, description)
  for _, key in ipairs(keys) do
    map(view, { "n", "x" }, key, function()
      local line, arrival = target()
      if line then
        places.jump(view, line, arrival or { column = view:kept_column() })
      end
    end, description)
    choose(view, key, function()
      local line = target()
      return line and operate(view, line)
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
  elseif row < 1 and view.first == 1 then
    return
  end
  return math.max(1, view:ordinal(row))
end

---What an operator does with the lines up to one that is not loaded.
---@param view forge.View
---@param steps integer
---@return fun()?
local function operate_beyond(view, steps)
  local target = beyond(view, steps)
  if target and view.filter then
    return function()
      messages.fail({ code = "INVALID_ARGUMENT", message = "not all of these lines are loaded; yG takes the rest" })
    end
  end
  return target and operate(view, target)
end

---@param view forge.View
---@param keys string[]
---@param direction 1|-1
---@param description string
local function map_rows(view, keys, direction, description)
  for _, key in ipairs(keys) do
    if vim.fn.maparg(key, "n") == "" then
      map(view, { "n", "x" }, key, function()
        local target = beyond(view, direction * vim.v.count1)
        if not target then
          return plainly(key)
        elseif direction > 0 and view.at_end then
          return loading.wait_for_new(view) and plainly(key)
        elseif view.first < 0 then
          return loading.grow(view)
        end
        travel.go_to_ordinal(view, target, { column = view:place().column })
      end, description)
      choose(view, key, function()
        return operate_beyond(view, direction * vim.v.count1)
      end, description)
    end
  end
end

---Scroll, unless there is more and it has not come yet: Neovim would beep, and forget what was typed after it.
---@param view forge.View
---@param key string
---@param direction 1|-1
local function scroll(view, key, direction)
  loading.grow(view)
  local is_waiting = direction > 0 and vim.fn.line("w$") >= view.count and not view.at_end
    or direction < 0 and vim.fn.line("w0") <= 1 and view.first > 1
  if not is_waiting then
    plainly(key)
  end
end

---@param view forge.View
---@param key string
---@param direction 1|-1
local function map_page(view, key, direction)
  map(view, { "n", "x" }, key, function()
    local count = vim.v.count1
    local height = math.max(1, vim.api.nvim_win_get_height(0) - 2)
    local row = vim.fn.line(direction > 0 and "w0" or "w$") + direction * count * height
    if count > 1 and view.first > 0 and (row < 1 or row > view.count) then
      local place = direction > 0 and "zt" or "zb"
      return travel.go_to_ordinal(view, math.max(1, view:ordinal(row)), { scroll = place })
    elseif direction > 0 and view.at_end and vim.fn.line("w$") >= view.count then
      return loading.wait_for_new(view) and plainly(key)
    end
    scroll(view, key, direction)
  end, "scroll, and load what comes")
end

---@param view forge.View
---@param percentage integer
local function go_to_percentage(view, percentage)
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

---@param view forge.View
local function tell_figures(view)
  local status = vim.uv.fs_stat(view.path)
  local row = vim.fn.line(".")
  local line = view:ordinal(row)
  local first = long_lines.first_column(view, row)
  local column = first == 1 and vim.fn.col(".") or first - 1 + vim.fn.charcol(".")
  local share = view.total and line > 0 and (" --%d%%--"):format(100 * line / math.max(1, view.total)) or ""
  local name = vim.fn.fnamemodify(view.path, ":~:.")
  local size = status and long_lines.size(status.size) or "not there any more"
  messages.tell(("%q %s%s col %d, %s"):format(name, numbers.statusline(), share, column, size))
end

---`|` and `$` in a line of which only a part is shown.
---@param view forge.View
local function map_columns(view)
  for _, key in ipairs({ "|", "$", "<End>" }) do
    map(view, "n", key, function()
      local row = vim.fn.line(".")
      if not long_lines.is_partial(view, row) then
        return plainly(key)
      elseif key == "|" then
        return loading.go_to_column(view, vim.v.count1)
      end
      loading.go_to_last_column(view)
    end, "to a column of the line, shown or not")
  end
  map(view, "n", "0", function()
    local row = vim.fn.line(".")
    if long_lines.first_column(view, row) == 1 then
      return plainly("0")
    end
    loading.go_to_column(view, 1)
  end, "to the first column of the line, shown or not")
end

---@return string? the mark that is typed next; nil after Escape or CTRL-C
local function typed_mark()
  local mark = vim.fn.getcharstr()
  return mark ~= "\27" and mark ~= "\3" and mark or nil
end

---@param view forge.View
local function map_marks(view)
  map(view, "n", "m", function()
    local mark = typed_mark()
    if mark and mark:find("^[%a%d'`]$") then
      places.set(view, mark)
    end
  end, "set a mark in the file")
  for _, key in ipairs({ "'", "`" }) do
    map(view, { "n", "x" }, key, function()
      local mark = typed_mark()
      if mark and mark:find("^[%a%d<>'`]$") then
        places.go_to_mark(view, mark, key == "`")
      elseif mark then
        plainly(key .. mark)
      end
    end, "to a mark in the file")
  end
  choose(view, "'", function()
    local mark = typed_mark()
    local place, path = places.get(view, mark or "")
    return place and not path and operate(view, place.line)
      or function()
        if mark then
          messages.fail({ code = "INVALID_ARGUMENT", message = ("mark %s is not set"):format(mark) })
        end
      end
  end, "to a mark in the file")
end

---@param view forge.View
local function map_yank(view)
  choose(view, "y", function()
    return operate_beyond(view, vim.v.count1 - 1)
  end, "yank lines of the file")
  for _, key in ipairs({ "y", "Y" }) do
    map(view, "x", key, function()
      local start, finish, mode, register = view.anchor, view:place(), vim.fn.mode(), vim.v.register
      if not start then
        return plainly('"' .. register .. key)
      elseif start.line > finish.line then
        start, finish = finish, start
      end
      vim.cmd("normal! \27")
      if mode == "v" and key == "y" then
        copy.yank_characters(view, start, finish, register)
      elseif mode == "V" or key == "Y" then
        copy.yank(view, { first = start.line, last = finish.line }, register)
      else
        messages.fail({ code = "INVALID_ARGUMENT", message = "a block is only yanked where all of it is loaded" })
      end
    end, "yank from the file")
  end
end

---@param view forge.View
local function map_selection(view)
  for _, key in ipairs({ "o", "O" }) do
    map(view, "x", key, function()
      local start, here = view.anchor, view:place()
      if not start then
        return plainly(key)
      end
      view.anchor = here
      travel.go_to(view, start.line, { column = start.column })
    end, "to the other end of the selection")
  end
  map(view, "n", "gv", function()
    local selected = view.selected
    if not selected then
      return plainly("gv")
    elseif selected[1].line < 0 then
      return messages.warn(messages.STILL_COUNTING)
    end
    travel.go_to(view, selected[2].line, {
      column = selected[2].column,
      arrived = function()
        vim.cmd.normal({ selected.mode, bang = true })
        selection.restore(view, selected[1])
      end,
    })
  end, "the last selection again")
end

---@param view forge.View
local function map_search(view)
  map(view, { "n", "x" }, "n", function()
    find.again(view, false, vim.v.count1)
  end, "next match in the file")
  map(view, { "n", "x" }, "N", function()
    find.again(view, true, vim.v.count1)
  end, "previous match in the file")
  for _, key in ipairs({ "*", "#", "g*", "g#" }) do
    map(view, "n", key, function()
      find.word(view, key:find("#") ~= nil, not key:find("^g"), vim.v.count1)
    end, "the word under the cursor, in the file")
  end
  for _, key in ipairs({ "*", "#" }) do
    map(view, "x", key, function()
      find.selected(view, key == "#", vim.v.count1)
    end, "the selected text, in the file")
  end
end

---@param view forge.View
function M.map(view)
  map_line(view, { "gg", "<C-Home>" }, function()
    return vim.v.count1
  end, "to the file's first line, or to line {count}")
  map_line(view, { "G" }, function()
    return vim.v.count > 0 and vim.v.count or "end"
  end, "to the file's last line, or to line {count}")
  map_line(view, { "<C-End>" }, function()
    return vim.v.count > 0 and vim.v.count or "end", { column = vim.v.maxcol }
  end, "to the end of the file")
  map_line(view, { "go" }, function()
    if vim.v.count <= 1 then
      return 1
    end
    messages.fail({ code = "INVALID_ARGUMENT", message = "bytes are not counted in a window; {count}% goes by lines" })
  end, "to the file's first byte")
  map_rows(view, { "j", "<Down>", "<C-n>", "+", not view.filter and "<CR>" or nil }, 1, "down in the file")
  if view.filter then
    map(view, "n", "<CR>", function()
      if not view.etag then
        return messages.say_still_reading(view.path)
      end
      require("forge.filter").leave(view, view:line())
    end, "to this line in the whole file")
  end
  map_rows(view, { "k", "<Up>", "<C-p>", "-" }, -1, "up in the file")
  for _, key in ipairs({ "<C-f>", "<PageDown>", "<S-Down>" }) do
    map_page(view, key, 1)
  end
  for _, key in ipairs({ "<C-b>", "<PageUp>", "<S-Up>" }) do
    map_page(view, key, -1)
  end
  for key, direction in pairs({ ["<C-d>"] = 1, ["<C-u>"] = -1 }) do
    map(view, { "n", "x" }, key, function()
      scroll(view, key, direction)
    end, "scroll, and load what comes")
  end
  map(view, { "n", "x" }, "%", function()
    if vim.v.count == 0 then
      return plainly("%")
    end
    go_to_percentage(view, vim.v.count)
  end, "to {count} percent of the file")
  map(view, "n", "<C-o>", function()
    places.travel(view, -vim.v.count1)
  end, "to an older place in the file")
  for _, key in ipairs({ "<C-i>", "<Tab>" }) do
    map(view, "n", key, function()
      places.travel(view, vim.v.count1)
    end, "to a newer place in the file")
  end
  for _, key in ipairs({ "<C-g>", "g<C-g>" }) do
    map(view, "n", key, function()
      tell_figures(view)
    end, "where one is in the file")
  end
  map(view, "n", "<C-c>", function()
    if view:stop() then
      if not view.etag then
        require("forge.window").give_up(view)
      end
      messages.say("stopped")
    else
      plainly("<C-c>")
    end
  end, "stop what is running")
  map_columns(view)
  map_marks(view)
  map_yank(view)
  map_selection(view)
  map_search(view)
end

---A search starts where the cursor was when it was typed. Lines that came meanwhile may have moved the cursor.
---@param view forge.View
---@param act? fun()
---@return fun()? act
local function put_cursor_first(view, act)
  local place = view.put_during_search
  view.put_during_search = nil
  return place and function()
    travel.go_to(view, place.line, { column = place.column, arrived = act })
  end or act
end

---What was typed in the command line is about to be done.
function M.on_command_line_left()
  local view = views.of()
  if not view then
    return
  end
  local kind, typed = vim.v.event.cmdtype, vim.fn.getcmdline()
  local act ---@type fun()?
  if vim.v.event.abort then
    act = put_cursor_first(view)
    return act and mapping.run_next(act)
  end
  if kind == ":" then
    act = ranges.action(view, typed)
  elseif (kind == "/" or kind == "?") and not view.etag then
    act = function()
      messages.say_still_reading(view.path)
    end
  elseif (kind == "/" or kind == "?") and not (view.filter and view.total and view.total <= view.count) then
    act = find.typed(view, kind, typed, vim.v.count1, vim.fn.state("o") ~= "")
  end
  act = put_cursor_first(view, act)
  if act then
    vim.cmd("let v:event.abort = v:true")
    mapping.run_next(act)
  end
end

return M
