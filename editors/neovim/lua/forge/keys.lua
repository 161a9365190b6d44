---Keys that mean the file in a window, not the few lines of it that are loaded.
local find = require("forge.find")
local line_commands = require("forge.line_commands")
local loading = require("forge.loading")
local long_lines = require("forge.long_lines")
local mapping = require("forge.mapping")
local messages = require("forge.messages")
local motions = require("forge.motions")
local numbers = require("forge.numbers")
local places = require("forge.places")
local records = require("forge.records")
local selection = require("forge.selection")
local travel = require("forge.travel")
local views = require("forge.view")
local yank = require("forge.yank")

local M = {}

local choose, map, plainly = mapping.choose, mapping.map, mapping.plainly

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
    return place and not path and motions.operate(view, place.line)
      or function()
        if mark then
          messages.fail({ code = "INVALID_ARGUMENT", message = ("mark %s is not set"):format(mark) })
        end
      end
  end, "to a mark in the file")
  choose(view, "`", function()
    local mark = typed_mark()
    return function()
      local hint = ("y'%s takes whole lines"):format(mark or "{mark}")
      messages.fail({ code = "INVALID_ARGUMENT", message = "the column of a mark cannot be used here", hint = hint })
    end
  end, "to the column of a mark in the file")
end

---@param view forge.View
local function map_yank(view)
  choose(view, "y", function()
    return motions.operate_beyond(view, vim.v.count1 - 1)
  end, "yank lines of the file")
  for _, key in ipairs({ "y", "Y" }) do
    map(view, "x", key, function()
      local start, finish, mode, register = view.anchor, view:place(), vim.fn.mode(), vim.v.register
      if not start then
        return plainly(register == '"' and key or '"' .. register .. key)
      elseif start.line > finish.line then
        start, finish = finish, start
      end
      vim.cmd("normal! \27")
      if mode == "v" and key == "y" then
        yank.characters(view, start, finish, register)
      elseif mode == "V" or key == "Y" then
        yank.lines(view, { first = start.line, last = finish.line }, register, start)
      else
        messages.fail({ code = "INVALID_ARGUMENT", message = "a block can only be yanked if all of it is loaded" })
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
local function map_log(view)
  for key, direction in pairs({ ["]e"] = "forward", ["[e"] = "backward" }) do
    map(view, { "n", "x" }, key, function()
      find.error(view, key, direction, vim.v.count1)
    end, "to an error in the file")
  end
  for key, step in pairs({ ["}"] = 1, ["{"] = -1 }) do
    map(view, { "n", "x" }, key, function()
      records.go(view, step, vim.v.count1)
    end, "to a record in the file")
  end
end

---@param view forge.View
local function map_filter(view)
  local function on(key, name, description)
    map(view, "n", key, function()
      if not view.etag then
        return messages.say_still_reading(view.path)
      end
      require("forge.filter")[name](view)
    end, description)
  end
  on("gzl", "choose_level", "choose a level")
  on("gz>", "from_here", "from the time of this line on")
  on("gz<", "until_here", "until the time of this line")
  on("gzm", "this_minute", "the minute of this line")
  on("gzr", "toggle_records", "whole records, or lines")
  on("gzf", "toggle_headers", "the first lines of records")
  for key, sign in pairs({ ["g+"] = 1, ["g-"] = -1 }) do
    map(view, "n", key, function()
      require("forge.filter").change_context(view, sign * vim.v.count1)
    end, "more or fewer lines around those that match")
  end
  map(view, "n", "gzg", function()
    require("forge.gaps").toggle(view)
  end, "mark silences")
end

---@param view forge.View
function M.map(view)
  motions.map_line(view, { "gg", "<C-Home>" }, function()
    return vim.v.count1
  end, "to the file's first line, or to line {count}")
  motions.map_line(view, { "G" }, function()
    return vim.v.count > 0 and vim.v.count or "end"
  end, "to the file's last line, or to line {count}")
  motions.map_line(view, { "<C-End>" }, function()
    return vim.v.count > 0 and vim.v.count or "end", { column = vim.v.maxcol }
  end, "to the end of the file")
  motions.map_line(view, { "go" }, function()
    if vim.v.count <= 1 then
      return 1
    end
    messages.fail({ code = "INVALID_ARGUMENT", message = "bytes are not counted in a window; {count}% goes by lines" })
  end, "to the file's first byte")
  motions.map_rows(view, { "j", "<Down>", "<C-n>", "+", not view.filter and "<CR>" or nil }, 1, "down in the file")
  if view.filter then
    map(view, "n", "<CR>", function()
      if not view.etag then
        return messages.say_still_reading(view.path)
      end
      require("forge.filter").leave(view, view:line())
    end, "to this line in the whole file")
    map(view, "n", "<BS>", function()
      require("forge.filter").take_back(view)
    end, "take the last filter back")
  end
  motions.map_rows(view, { "k", "<Up>", "<C-p>", "-" }, -1, "up in the file")
  for _, key in ipairs({ "<C-f>", "<PageDown>", "<S-Down>" }) do
    motions.map_page(view, key, 1)
  end
  for _, key in ipairs({ "<C-b>", "<PageUp>", "<S-Up>" }) do
    motions.map_page(view, key, -1)
  end
  for key, direction in pairs({ ["<C-d>"] = 1, ["<C-u>"] = -1 }) do
    map(view, { "n", "x" }, key, function()
      motions.scroll(view, key, direction)
    end, "scroll, and load what comes")
  end
  map(view, { "n", "x" }, "%", function()
    if vim.v.count == 0 then
      return plainly("%")
    end
    motions.go_to_percentage(view, vim.v.count)
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
      numbers.tell_figures(view)
    end, "where one is in the file")
  end
  map_columns(view)
  map_marks(view)
  map_yank(view)
  map_selection(view)
  map_search(view)
  map_log(view)
  map_filter(view)
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
    act = line_commands.action(view, typed)
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
