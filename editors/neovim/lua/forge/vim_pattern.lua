---Vim's search patterns as Python's regular expressions, which the daemon searches files with.
local M = {}

---Most of Vim's classes know only ASCII.
local CLASSES = {
  s = "[ \\t]",
  S = "[^ \\t]",
  d = "[0-9]",
  D = "[^0-9]",
  w = "[0-9A-Za-z_]",
  W = "[^0-9A-Za-z_]",
  t = "\\t",
  a = "[A-Za-z]",
  A = "[^A-Za-z]",
  l = "[a-z]",
  L = "[^a-z]",
  u = "[A-Z]",
  U = "[^A-Z]",
  x = "[0-9A-Fa-f]",
  X = "[^0-9A-Fa-f]",
  o = "[0-7]",
  h = "[A-Za-z_]",
  k = "\\w",
  i = "\\w",
  e = "\\x1b",
}
local POSIX = {
  alpha = "A-Za-z",
  digit = "0-9",
  alnum = "A-Za-z0-9",
  lower = "a-z",
  upper = "A-Z",
  punct = "!-/:-@\\[-`{-~",
  space = "\\s",
  xdigit = "0-9A-Fa-f",
  blank = " \\t",
}
local SPECIAL = "[%^%$%(%)%[%]%{%}%*%+%-%?%.%|\\]"

---@class forge.Translation
---@field regex string
---@field literal? string The text itself, where nothing in the pattern has a special meaning.
---@field ignore_case? boolean Where the pattern itself says so.

---@param text string
---@return string an expression that matches the text itself
function M.literal(text)
  return (text:gsub(SPECIAL, "\\%0"))
end

---What characters mean without a backslash, by how magic the pattern is.
---@type table<string, string>
local MAGIC = { v = "^$.*[~+=?{@%()|<>&", m = "^$.*[~", M = "^$", V = "^$" }
---And which of the others mean something with one.
local ESCAPED = "^$.*[~+=?{@%()|<>&_123456789"

---@param pattern string
---@param position integer after the `[`
---@return string? regex
---@return integer? position after the `]`
local function collection(pattern, position)
  local parts = { "[" }
  if pattern:sub(position, position) == "^" then
    table.insert(parts, "^")
    position = position + 1
  end
  local first = true
  while position <= #pattern do
    local char = pattern:sub(position, position)
    local class, after = pattern:match("^%[:(%a+):%]()", position)
    if char == "]" and not first then
      table.insert(parts, "]")
      return table.concat(parts), position + 1
    elseif class then
      if not POSIX[class] then
        return
      end
      table.insert(parts, POSIX[class])
      position = after
    elseif char == "\\" and pattern:find("^[\\%]%^%-etnr]", position + 1) then
      local escaped = pattern:sub(position + 1, position + 1)
      table.insert(parts, escaped == "e" and "\\x1b" or "\\" .. escaped)
      position = position + 2
    else
      table.insert(parts, (char == "[" or char == "\\" or char == "]") and "\\" .. char or char)
      position = position + 1
    end
    first = false
  end
end

---@param pattern string
---@return forge.Translation?
---@return string? failure what cannot be expressed
function M.translate(pattern)
  local parts, magic, ignore_case = {}, "m", nil
  local plain = {} ---@type string[]?
  local position = 1
  local at_start = true
  local function add(text)
    table.insert(parts, text)
    plain = nil
  end
  local function add_literal(text)
    table.insert(parts, M.literal(text))
    if plain then
      table.insert(plain, text)
    end
  end
  while position <= #pattern do
    local char = pattern:sub(position, position)
    local backslash = char == "\\"
    local token = backslash and pattern:sub(position + 1, position + 1) or char
    local is_magic = MAGIC[magic]:find(token, 1, true) ~= nil
    local is_active = not backslash and is_magic or backslash and not is_magic and ESCAPED:find(token, 1, true) ~= nil
    local is_letter_class = backslash and token:find("%a")
    local start = position
    position = position + (backslash and 2 or 1)
    local was_start = at_start
    at_start = false
    if backslash and token == "" then
      return nil, "\\"
    elseif is_letter_class then
      if token == "v" or token == "m" or token == "M" or token == "V" then
        magic, at_start = token, was_start
      elseif token == "c" or token == "C" then
        ignore_case, at_start = token == "c", was_start
      elseif CLASSES[token] then
        add(CLASSES[token])
      elseif token == "n" then
        return nil, "\\n"
      else
        return nil, "\\" .. token
      end
    elseif not is_active then
      add_literal(token)
    elseif token == "^" then
      if was_start then
        add("^")
      else
        add_literal("^")
      end
    elseif token == "$" then
      local rest = pattern:sub(position)
      local ends = rest == "" or rest:find("^\\[|)]") or (magic == "v" and rest:find("^[|)]"))
      if ends then
        add("$")
      else
        add_literal("$")
      end
    elseif token == "." then
      add(".")
    elseif token == "*" then
      if was_start then
        add_literal("*")
      else
        add("*")
      end
    elseif token == "+" then
      add("+")
    elseif token == "=" or token == "?" then
      add("?")
    elseif token == "|" then
      add("|")
      at_start = true
    elseif token == "(" then
      add("(")
      at_start = true
    elseif token == ")" then
      add(")")
    elseif token == "<" or token == ">" then
      add("\\b")
    elseif token:find("%d") then
      add("\\" .. token)
    elseif token == "{" then
      local lazy, low, comma, high, after = pattern:match("^(%-?)(%d*)(,?)(%d*)\\?}()", position)
      if not after then
        return nil, pattern:sub(start)
      end
      position = after
      local counted = comma == "" and low ~= "" and low or (low == "" and "0" or low) .. "," .. high
      add("{" .. counted .. "}" .. (lazy == "-" and "?" or ""))
    elseif token == "%" then
      if pattern:find("^%(", position) then
        add("(?:")
        position, at_start = position + 1, true
      else
        return nil, pattern:sub(start)
      end
    elseif token == "[" then
      local regex, after = collection(pattern, position)
      if regex and after then
        add(regex)
        position = after
      else
        add_literal("[")
      end
    else
      return nil, pattern:sub(start, position - 1)
    end
  end
  local text = plain and table.concat(plain)
  return { regex = table.concat(parts), literal = text ~= "" and text or nil, ignore_case = ignore_case }
end

---The pattern before the character that ends it, and what comes after: a search offset.
---@param typed string
---@param delimiter "/"|"?"
---@return string pattern
---@return string? offset
function M.split(typed, delimiter)
  local position, in_collection = 1, false
  while position <= #typed do
    local char = typed:sub(position, position)
    if char == "\\" then
      position = position + 1
    elseif char == "[" then
      in_collection = typed:find("]", position + 2, true) ~= nil
    elseif char == "]" then
      in_collection = false
    elseif char == delimiter and not in_collection then
      return typed:sub(1, position - 1), typed:sub(position + 1)
    end
    position = position + 1
  end
  return typed
end

return M
