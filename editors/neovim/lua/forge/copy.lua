---Lines of the file, loaded or not, into a register or another file.
local colours = require("forge.colours")
local daemon = require("forge.daemon")
local long_lines = require("forge.long_lines")
local messages = require("forge.messages")
local numbers = require("forge.numbers")

local M = {}

---More than this is only yanked after a question.
local MANY_LINES = 100000
local MANY_BYTES = 50 * 1000 * 1000
local PAGE = 10000

---@class forge.Range
---@field first integer
---@field last? integer The end of the file if absent.

---@param view forge.View
---@param range forge.Range
---@return integer? how many lines it has, if that is known
local function length(view, range)
  local last = range.last or view.total
  return last and math.max(0, last - range.first + 1)
end

---@param count? integer
---@return string
local function lines(count)
  return count and ("%s line%s"):format(numbers.grouped(count), count == 1 and "" or "s") or "all lines"
end

---@param view forge.View
---@param range forge.Range
---@param doing string
---@param take fun(page: forge.ReadFileResult): string? why it cannot continue
---@param done fun(failure?: string, count?: integer)
local function each_page(view, range, doing, take, done)
  local wanted, count, is_open_ended = length(view, range), 0, false
  local filter = view.filter
  if filter then -- Only lines that match, of those.
    filter = vim.tbl_extend("force", filter, { first_line = range.first, last_line = range.last })
    range, wanted = { first = 1 }, nil
  end
  local function ask(selector)
    local params = vim.tbl_extend("force", view:parameters(), { path = view.path, filter = filter }, selector)
    local cancel = daemon.request("forge/readFile", params, function(error, page)
      view.cancel = nil
      if error then
        messages.end_progress()
        return done(error.code == "CANCELLED" and "stopped" or error.message)
      end
      local failure = take(page)
      count = count + select(2, page.content:gsub("\n", "")) -- A long line takes several answers.
      is_open_ended = page.content ~= "" and not vim.endswith(page.content, "\n")
      if failure or not page.next_cursor then
        messages.end_progress()
        return done(failure, count + (is_open_ended and 1 or 0))
      end
      ask({ cursor = page.next_cursor, max_lines = PAGE, on_binary = "refuse" })
      local share = wanted and wanted > 1 and (" %d %%,"):format(100 * count / math.max(1, wanted)) or ""
      messages.progress(("%s lines of %s,%s CTRL-C stops"):format(doing, vim.fs.basename(view.path), share))
    end)
    view.cancel = cancel
  end
  view:stop()
  ask({ start_line = range.first, end_line = range.last, max_lines = PAGE, on_binary = "refuse" })
end

---@param view forge.View
---@param much string
---@param register string
---@return boolean
local function may_yank(view, much, register)
  local question = "Yank %s of %s into register %s? They are kept in memory."
  return messages.choose(question:format(much, vim.fs.basename(view.path), register), "&Yes\n&No", 2) == 1
end

---@param view forge.View
---@param range forge.Range
---@param register string
---@param store fun(register: string, text: string)
local function yank(view, range, register, store)
  register = register == "" and '"' or register
  local wanted = length(view, range)
  local is_asked = not wanted or wanted > MANY_LINES
  if is_asked and not may_yank(view, lines(wanted), register) then
    return
  end
  local parts, bytes = {}, 0
  each_page(view, range, "yanking", function(page)
    table.insert(parts, colours.strip(page.content))
    bytes = bytes + #page.content
    if bytes > MANY_BYTES and not is_asked then
      is_asked = true
      return not may_yank(view, ("more than %d MB"):format(MANY_BYTES / 1e6), register) and "stopped" or nil
    end
  end, function(failure, count)
    if failure then
      return messages.fail({ code = "INTERNAL", message = "nothing was yanked: " .. failure })
    elseif count == 0 then
      return messages.fail({ code = "INVALID_ARGUMENT", message = "nothing was yanked: there are no such lines" })
    end
    store(register, table.concat(parts))
    messages.say(lines(count) .. " yanked")
  end)
end

---@param register string
---@param lines_of_text string[]
---@param kind "l"|"v" whole lines, or characters
local function store_in(register, lines_of_text, kind)
  for index, line in ipairs(lines_of_text) do
    lines_of_text[index] = line:gsub("%z", "\n") -- How Vim writes NUL in a list of lines.
  end
  vim.fn.setreg(register, lines_of_text, kind .. "u")
end

---@param text string
---@return string[]
local function split(text)
  local found = vim.split(text, "\n", { plain = true })
  if found[#found] == "" then
    table.remove(found)
  end
  return found
end

---@param view forge.View
---@param range forge.Range
---@param register string
function M.yank(view, range, register)
  yank(view, range, register, function(name, text)
    store_in(name, split(text), "l")
  end)
end

---@param view forge.View
---@param row integer
---@return boolean whether what was yanked of this line neither starts nor ends where the part that is shown does
local function is_within(view, row)
  local text, first, last = vim.fn.getline(row), vim.fn.col("'["), vim.fn.col("']")
  local ends_before = last < #text and last + vim.str_utf_end(text, last) < #text
  return ends_before and (first > 1 or long_lines.first_column(view, row) == 1)
end

---Neovim yanked from the lines that are loaded. What is missing of them is taken from the file, or that is said.
---@param view forge.View
---@param yanked {regname: string, regtype: string, visual: boolean}
function M.complete(view, yanked)
  local first, last = vim.fn.line("'["), vim.fn.line("']")
  local is_partial = long_lines.is_partial(view, first, last)
  if is_partial and yanked.regtype == "V" and view.first > 0 then
    vim.schedule(function()
      M.yank(view, { first = view:number(first), last = view:number(last) }, yanked.regname)
    end)
  elseif is_partial and not (first == last and is_within(view, first)) then
    messages.warn("of a very long line only what is loaded was yanked; yy takes all of it")
  elseif
    not yanked.visual
    and first < last
    and (first == 1 and view.first ~= 1 or last == view.count and not view.at_end)
  then
    messages.warn("only what is loaded was yanked; :y, yG and y{count}j take any lines")
  end
end

---Some characters of a line to some of another.
---@param view forge.View
---@param from forge.Place
---@param to forge.Place the last byte that counts
---@param register string
function M.yank_characters(view, from, to, register)
  yank(view, { first = from.line, last = to.line }, register, function(name, whole_lines)
    local text = split(whole_lines)
    local last = text[#text]
    if last ~= "" then
      text[#text] = last:sub(1, to.column + vim.str_utf_end(last, math.min(to.column + 1, #last)) + 1)
    end
    text[1] = text[1]:sub(from.column + 1)
    store_in(name, text, "v")
  end)
end

---@param view forge.View
---@param path string
---@param overwrites? boolean
---@return string? why it cannot be written
local function fault(view, path, overwrites)
  local status, name = vim.uv.fs_stat(path), vim.fn.fnamemodify(path, ":~:.")
  if not status then
    return
  elseif vim.uv.fs_realpath(path) == vim.uv.fs_realpath(view.path) then
    return name .. " is the file itself"
  elseif status.type == "directory" then
    return name .. " is a directory"
  elseif not overwrites then
    return name .. " exists (add ! to overwrite it)"
  end
end

---@param view forge.View
---@param path string
local function copy_all(view, path)
  messages.progress(("copying %s"):format(vim.fs.basename(view.path)))
  vim.uv.fs_copyfile(
    view.path,
    path,
    vim.schedule_wrap(function(failure)
      messages.end_progress()
      if failure then
        messages.fail({ code = "INTERNAL", message = ("%s was not written: %s"):format(path, failure) })
      else
        local size = assert(vim.uv.fs_stat(path)).size
        messages.say(("%s written, %s bytes"):format(vim.fn.fnamemodify(path, ":~:."), numbers.grouped(size)))
      end
    end)
  )
end

---@class forge.WriteOptions
---@field overwrites? boolean
---@field appends? boolean

---@param view forge.View
---@param range forge.Range
---@param path string
---@param options forge.WriteOptions
function M.write(view, range, path, options)
  local reason = fault(view, path, options.overwrites or options.appends)
  if reason then
    return messages.fail({ code = "INVALID_ARGUMENT", message = reason })
  end
  if range.first == 1 and not range.last and not options.appends and not view:is_transformed() then
    return copy_all(view, path)
  end
  local target = options.appends and path or path .. ".forge-part"
  local file, failure = io.open(target, options.appends and "ab" or "wb")
  if not file then
    return messages.fail({ code = "INTERNAL", message = failure or path })
  end
  local is_mixed, encoding = false, nil
  each_page(view, range, "writing", function(page)
    is_mixed, encoding = is_mixed or page.meta.eol == "mixed", page.meta.encoding
    local content = page.meta.eol == "crlf" and page.content:gsub("\n", "\r\n") or page.content
    local written, why = file:write(content)
    return not written and why or nil
  end, function(why, count)
    local closed, close_failure = file:close()
    why = why or (not closed and close_failure or nil)
    if not why and not options.appends then
      local renamed, rename_failure = vim.uv.fs_rename(target, path)
      why = not renamed and rename_failure or nil
    end
    if why then
      if not options.appends then
        vim.uv.fs_unlink(target)
      end
      return messages.fail({ code = "INTERNAL", message = ("%s was not written: %s"):format(path, why) })
    end
    local note = encoding ~= "utf-8" and " in UTF-8" or ""
    note = note .. (is_mixed and "; line ends were mixed and are \\n now" or "")
    messages.say(("%s written, %s%s"):format(vim.fn.fnamemodify(path, ":~:."), lines(count), note))
  end)
end

return M
