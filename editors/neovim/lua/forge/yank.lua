---Lines of the file, loaded or not, into a register.
local changes = require("forge.changes")
local copy = require("forge.copy")
local long_lines = require("forge.long_lines")
local messages = require("forge.messages")
local travel = require("forge.travel")

local M = {}

---More than this is only yanked after a question.
local MANY_LINES = 100000
local MANY_BYTES = 50 * 1000 * 1000

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
  if changes.refuse_old(view) then
    return
  end
  register = register == "" and '"' or register
  local wanted = copy.length(view, range)
  local is_asked = not wanted or wanted > MANY_LINES
  if is_asked and not may_yank(view, copy.lines(wanted), register) then
    return
  end
  local parts, bytes = {}, 0
  copy.each_page(view, range, "yanking", function(page)
    table.insert(parts, page.content)
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
    messages.say(copy.lines(count) .. " yanked")
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
---@param goes_to? forge.Place Where the cursor comes: Neovim puts it where what was yanked starts.
function M.lines(view, range, register, goes_to)
  yank(view, range, register, function(name, text)
    store_in(name, split(text), "l")
    if goes_to then
      travel.go_to(view, goes_to.line, { column = goes_to.column })
    end
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
  if is_partial and yanked.regtype == "V" and view:is_numbered() then
    vim.schedule(function()
      M.lines(view, { first = view:number(first), last = view:number(last) }, yanked.regname)
    end)
  elseif is_partial and not (first == last and is_within(view, first)) then
    messages.warn("of a very long line only what is loaded was yanked; yy takes all of it")
  elseif
    not yanked.visual
    and first < last
    and (first == 1 and not view:starts_with_first() or last == view.count and not view.at_end)
  then
    messages.warn("only what is loaded was yanked; :y, yG and y{count}j take any lines")
  end
end

---Some characters of a line to some of another.
---@param view forge.View
---@param from forge.Place
---@param to forge.Place the last byte that counts
---@param register string
function M.characters(view, from, to, register)
  yank(view, { first = from.line, last = to.line }, register, function(name, whole_lines)
    local text = split(whole_lines)
    local last = text[#text]
    if last ~= "" then
      text[#text] = last:sub(1, to.column + vim.str_utf_end(last, math.min(to.column + 1, #last)) + 1)
    end
    text[1] = text[1]:sub(from.column + 1)
    store_in(name, text, "v")
    travel.go_to(view, from.line, { column = from.column })
  end)
end

return M
