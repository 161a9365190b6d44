---Searching the whole file from a window, in the daemon.
local changes = require("forge.changes")
local counting = require("forge.counting")
local filters = require("forge.filters")
local loading = require("forge.loading")
local long_lines = require("forge.long_lines")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local patterns = require("forge.patterns")
local places = require("forge.places")
local search = require("forge.search")
local vim_pattern = require("forge.vim_pattern")

local M = {}

local marks = vim.api.nvim_create_namespace("forge.find")

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
---@param direction forge.Direction
---@param note string
local function tell(view, pattern, direction, note)
  local match = assert(pattern.match)
  local label = pattern.label or (direction == "forward" and "/" or "?") .. pattern.shown
  local line = numbers.grouped(match.line)
  local function show_text(count)
    return messages.tell_match(label, ("  line %s%s%s"):format(line, count, note))
  end
  local shown = show_text("")
  counting.match(view, pattern, match.line, function(index, total)
    if messages.is_shown(shown) then
      show_text(("  [%d/%d]"):format(index, total))
    end
  end)
end

---@param view forge.View
---@param pattern forge.Pattern
---@param direction forge.Direction
---@param note string
local function show(view, pattern, direction, note)
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
  tell(view, pattern, direction, note)
end

---@param view forge.View
---@return string
local function searched_lines(view)
  local name = vim.fs.basename(view.path)
  return view.filter and ("%s (%s)"):format(name, filters.describe(view.filter)) or name
end

---@param view forge.View
---@param pattern forge.Pattern
---@param direction forge.Direction
---@param from forge.SearchFrom
---@param count integer
local function go(view, pattern, direction, from, count)
  local edges = direction == "forward" and { "BOTTOM", "TOP" } or { "TOP", "BOTTOM" }
  vim.api.nvim_buf_clear_namespace(view.buf, marks, 0, -1)
  search.run(view, pattern, direction, from, count, {
    arrived = function(match, wrapped)
      pattern.match = match
      local note = wrapped and ("  search hit %s, continuing at %s"):format(unpack(edges)) or ""
      places.jump(view, match.line, {
        arrived = function()
          loading.show_column(view, match.line, match.start_column, function()
            show(view, pattern, direction, note)
          end)
        end,
      })
    end,
    lost = function(wrapped)
      if wrapped then
        messages.warn(("%s was not found in %s"):format(pattern.shown, searched_lines(view)))
      else
        messages.warn(("search hit %s without match for: %s"):format(edges[1], pattern.shown))
      end
    end,
  })
end

---Where the cursor is in the file, once its lines are numbered.
---@param view forge.View
---@return forge.SearchFrom?
local function cursor(view)
  local window = view:window()
  if not view.etag then
    return messages.say_still_reading(view.path)
  elseif changes.refuse_old(view) then
    return
  elseif not window or not view:is_numbered() then
    messages.warn(messages.STILL_COUNTING)
    return
  end
  local row, byte = unpack(vim.api.nvim_win_get_cursor(window))
  local line = vim.fn.getbufline(view.buf, row)[1] or ""
  local column = long_lines.first_column(view, row) + vim.fn.strchars(line:sub(1, byte))
  return { line = view:number(row), column = column }
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
    here = search.beyond(match, direction)
  elseif direction == "forward" then
    here.column = here.column + 1
  end
  go(view, pattern, direction, here, count)
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
    go(view, last, "forward", here, 1)
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
  elseif last.shown == register then -- 'ignorecase' may have another value by now.
    last.ignore_case = assert(patterns.from_vim(register, last.direction, last.is_word)).ignore_case
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

---`]e` and `[e`: another record, or another line if only some lines of records are shown.
---@param view forge.View
---@param key string
---@param direction forge.Direction
---@param count integer
function M.error(view, key, direction, count)
  local here = cursor(view)
  if here then
    local pattern = { shown = "error", label = key, text = "^", regex = true, filter = filters.errors_of(view.filter) }
    local from = { line = direction == "forward" and here.line + 1 or here.line, column = 1 }
    go(view, pattern, direction, from, count)
  end
end

---`*` and `#`
---@param view forge.View
---@param backward boolean
---@param whole boolean
---@param count integer
function M.word(view, backward, whole, count)
  if not view.etag then
    return messages.say_still_reading(view.path)
  end
  local word = vim.fn.expand("<cword>")
  if word == "" then
    return messages.fail({ code = "INVALID_ARGUMENT", message = "there is no word under the cursor" })
  end
  local literal = vim.fn.escape(word, "\\/.*$^~[]")
  local is_word = vim.fn.match(word, "^\\k\\+$") >= 0 and word:find("^%w") and word:find("%w$")
  local pattern = whole and is_word and "\\<" .. literal .. "\\>" or literal
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
