---Searching the whole file from a window, in the daemon.
local asking = require("forge.asking")
local daemon = require("forge.daemon")
local loading = require("forge.loading")
local long_lines = require("forge.long_lines")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local patterns = require("forge.patterns")
local places = require("forge.places")
local vim_pattern = require("forge.vim_pattern")

local M = {}

local marks = vim.api.nvim_create_namespace("forge.find")
local AFTER_EVERY_LINE = 1e13 -- As large as the JSON encoder writes without an exponent.

---@alias forge.Direction "forward"|"backward"

---@type forge.Pattern?
local last

---Make Neovim show the matches, as after a search of its own.
---@param pattern string
local function highlight(pattern)
  vim.fn.setreg("/", pattern)
  vim.v.searchforward = last and last.direction == "backward" and 0 or 1
  if vim.o.hlsearch then
    vim.v.hlsearch = 1
  end
end

---@param view forge.View
---@param pattern forge.Pattern
---@param note string
local function show(view, pattern, note)
  local match = assert(pattern.match)
  local row = view:row(match.line)
  local line = row and vim.fn.getbufline(view.buf, row)[1]
  if not row or not line then
    return
  end
  local before = long_lines.first_column(view, row) - 1
  local start = vim.fn.byteidxcomp(line, match.start_column - 1 - before)
  local finish = vim.fn.byteidxcomp(line, match.end_column - before)
  if start < 0 then
    start = #line -- The line is longer than what is shown of it.
  end
  if finish < 0 then
    finish = #line
  end
  view:put_cursor(row, start)
  if finish > start then
    local options = { end_col = finish, hl_group = "CurSearch", priority = 200 }
    vim.api.nvim_buf_set_extmark(view.buf, marks, row - 1, start, options)
  end
  local at = ("line %s, column %s"):format(numbers.grouped(match.line), numbers.grouped(match.start_column))
  messages.mention(("%s: %s%s"):format(pattern.shown, at, note))
end

---@class forge.SearchFrom
---@field line integer
---@field column integer In characters, from 1.
---@field is_shown? boolean The line is one of those that the view shows.

---Where to search on after a match.
---@param match forge.FindMatch
---@param direction forge.Direction
---@return forge.SearchFrom
local function beyond(match, direction)
  if direction == "backward" then
    return { line = match.line, column = match.start_column, is_shown = true }
  end
  return { line = match.line, column = math.max(match.end_column, match.start_column) + 1, is_shown = true }
end

---@param view forge.View
---@param pattern {text: string, regex: boolean, ignore_case: boolean}
---@param direction forge.Direction
---@param from forge.SearchFrom
---@param take fun(match?: forge.FindMatch)
local function ask(view, pattern, direction, from, take)
  local answered = false
  local params = vim.tbl_extend("force", view:file_parameters(), {
    path = view.path,
    pattern = pattern.text,
    regex = pattern.regex,
    ignore_case = pattern.ignore_case,
    direction = direction,
    start_line = from.line,
    start_column = from.column,
    ansi = view.is_coloured and "strip" or nil,
  })
  view.cancel = daemon.request("forge/find", params, function(error, found)
    answered, view.cancel = true, nil
    messages.end_progress()
    if not view:is_open() then
      return
    elseif found then
      take(found.match)
    elseif error.code ~= "CANCELLED" then
      messages.fail(error)
    end
  end, asking.reporter(view, "searching"))
  asking.wait_for(function()
    return answered
  end)
end

---@param pattern string
---@param is_regex? boolean
---@param ignore_case? boolean
---@return string an expression that can be a part of another
local function group(pattern, is_regex, ignore_case)
  return ("(?%s:%s)"):format(ignore_case and "i" or "", is_regex and pattern or vim_pattern.literal(pattern))
end

---Lines that a pattern matches and that a filter leaves.
---@param filter forge.FilterParams
---@param pattern forge.Pattern
local function both(filter, pattern)
  local condition = group(filter.pattern, filter.regex, filter.ignore_case)
  local wanted = group(pattern.text, pattern.regex, pattern.ignore_case)
  local text = ("^(?%s.*%s).*?%s"):format(filter.invert and "!" or "=", condition, wanted)
  return { text = text, regex = true, ignore_case = false }
end

---The next match in the lines that the view shows.
---@param view forge.View
---@param pattern forge.Pattern
---@param direction forge.Direction
---@param from forge.SearchFrom
---@param take fun(match?: forge.FindMatch)
local function find_next(view, pattern, direction, from, take)
  ---@param line integer
  ---@return forge.SearchFrom before every match in this line
  local function up_to(line)
    return { line = direction == "forward" and line or line + 1, column = 1 }
  end
  ask(view, pattern, direction, from, function(match)
    if not match or not view.filter or (from.is_shown and match.line == from.line) then
      return take(match)
    end
    ask(view, both(view.filter, pattern), direction, up_to(match.line), function(shown)
      if not shown or shown.line == match.line then
        return take(shown and match)
      end
      ask(view, pattern, direction, up_to(shown.line), take)
    end)
  end)
end

---@param view forge.View
---@return string
local function searched_lines(view)
  local filter = view.filter
  if not filter then
    return vim.fs.basename(view.path)
  end
  return ("the lines that %s %s"):format(filter.invert and "do not match" or "match", filter.pattern)
end

---@param view forge.View
---@param pattern forge.Pattern
---@param direction forge.Direction
---@param from forge.SearchFrom
---@param count integer
---@param note? string
---@param wrapped? boolean
local function search(view, pattern, direction, from, count, note, wrapped)
  view:stop()
  vim.api.nvim_buf_clear_namespace(view.buf, marks, 0, -1)
  find_next(view, pattern, direction, from, function(match)
    if match and count > 1 then
      search(view, pattern, direction, beyond(match, direction), count - 1, note)
    elseif match then
      pattern.match = match
      places.jump(view, match.line, {
        arrived = function()
          loading.show_column(view, match.line, match.start_column, function()
            show(view, pattern, note or "")
          end)
        end,
      })
    elseif vim.o.wrapscan and not wrapped then
      local forward = direction == "forward"
      local again = { line = forward and 1 or AFTER_EVERY_LINE, column = 1 }
      local hit = forward and "search hit BOTTOM, continuing at TOP" or "search hit TOP, continuing at BOTTOM"
      search(view, pattern, direction, again, count, (" (%s)"):format(hit), true)
    elseif not wrapped then
      local edge = direction == "forward" and "BOTTOM" or "TOP"
      messages.warn(("search hit %s without match for: %s"):format(edge, pattern.shown))
    else
      messages.warn(("%s was not found in %s"):format(pattern.shown, searched_lines(view)))
    end
  end)
end

---Where the cursor is in the file, once its lines are numbered.
---@param view forge.View
---@return forge.SearchFrom?
local function cursor(view)
  local window = view:window()
  if view.first < 0 or not window then
    messages.warn(messages.STILL_COUNTING)
    return
  end
  local row, byte = unpack(vim.api.nvim_win_get_cursor(window))
  local line = vim.fn.getbufline(view.buf, row)[1] or ""
  local column = long_lines.first_column(view, row) + vim.fn.strchars(line:sub(1, byte))
  return { line = view:number(row), column = column, is_shown = true }
end

---@param view forge.View
---@param pattern forge.Pattern
---@param direction forge.Direction
---@param count integer
local function search_from_cursor(view, pattern, direction, count)
  local here = cursor(view)
  if not here then
    return
  end
  local match = pattern.match
  if direction == "forward" and match and match.line == here.line and match.start_column == here.column then
    here = beyond(match, direction)
  elseif direction == "forward" then
    here.column = here.column + 1
  end
  search(view, pattern, direction, here, count)
end

---@param view forge.View
---@param pattern string as Neovim has it
---@param direction forge.Direction
---@param count integer
---@param is_word? boolean
local function search_for(view, pattern, direction, count, is_word)
  last = patterns.from_vim(pattern, direction, is_word)
  if last then
    highlight(pattern)
    search_from_cursor(view, last, direction, count)
  end
end

---`:Forge find`
---@param view forge.View
---@param typed string
function M.start(view, typed)
  last = patterns.parse(typed)
  if not last.regex then
    last.register = (last.ignore_case and "\\c" or "\\C") .. "\\V" .. typed:gsub("\\", "\\\\")
    highlight(last.register)
  end
  local here = cursor(view)
  if here then
    search(view, last, "forward", here, 1)
  end
end

---@param direction forge.Direction
---@return forge.Direction
local function opposite(direction)
  return direction == "forward" and "backward" or "forward"
end

---`n` and `N`: the last pattern again, be it of `:Forge find` or of Neovim.
---@param view forge.View
---@param reversed boolean
---@param count integer
function M.again(view, reversed, count)
  local register = vim.fn.getreg("/")
  if not last or last.register ~= register then
    if register == "" then
      local hint = ":Forge find {text} or :Forge find /{regex}/"
      return messages.fail({ code = "INVALID_ARGUMENT", message = "there is no search pattern yet", hint = hint })
    end
    last = patterns.from_vim(register, vim.v.searchforward == 1 and "forward" or "backward")
    if not last then
      return
    end
  end
  if vim.o.hlsearch then
    vim.v.hlsearch = 1
  end
  search_from_cursor(view, last, reversed and opposite(last.direction) or last.direction, count)
end

---`/` and `?`
---@param view forge.View
---@param kind "/"|"?"
---@param typed string
---@param count integer
---@param has_operator boolean
---@return fun()? act nil where Neovim's own search does it
function M.typed(view, kind, typed, count, has_operator)
  local pattern, offset = vim_pattern.split(typed, kind)
  pattern = pattern == "" and vim.fn.getreg("/") or pattern
  if has_operator then
    local is_loaded = vim.fn.search(pattern, kind == "?" and "nWb" or "nW") > 0
    return not is_loaded
        and function()
          messages.fail({ code = "INVALID_ARGUMENT", message = "no match in the lines that are loaded" })
        end
      or nil
  end
  return function()
    if offset and offset ~= "" then
      return messages.fail({ code = "INVALID_ARGUMENT", message = "search offsets do not work in a window" })
    end
    search_for(view, pattern, kind == "/" and "forward" or "backward", count)
  end
end

---`*` and `#`
---@param view forge.View
---@param backward boolean
---@param whole boolean
---@param count integer
function M.word(view, backward, whole, count)
  local word = vim.fn.expand("<cword>")
  if word == "" then
    return messages.fail({ code = "INVALID_ARGUMENT", message = "there is no word under the cursor" })
  end
  local literal = vim.fn.escape(word, "\\/.*$^~[]")
  local pattern = whole and vim.fn.match(word, "^\\k\\+$") >= 0 and "\\<" .. literal .. "\\>" or literal
  if backward then -- From the word's start, or the match would be the word itself.
    vim.fn.search("\\k", "bcW", vim.fn.line("."))
    vim.fn.search("\\<" .. literal, "bcW", vim.fn.line("."))
  end
  search_for(view, pattern, backward and "backward" or "forward", count, true)
end

---`*` and `#` in a selection
---@param view forge.View
---@param backward boolean
---@param count integer
function M.selected(view, backward, count)
  local text = vim.fn.getregion(vim.fn.getpos("v"), vim.fn.getpos("."), { type = vim.fn.mode() })
  local is_part_of_line = #text == 1 and text[1] ~= "" and not view.anchor
  vim.cmd("normal! \27`<")
  if not is_part_of_line then
    return messages.fail({ code = "INVALID_ARGUMENT", message = "only text within one line can be searched for" })
  end
  search_for(view, "\\V" .. vim.fn.escape(text[1], "\\/"), backward and "backward" or "forward", count)
end

return M
