---Vim's search patterns as regular expressions of the daemon, which are RE2's.
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
  k = "[0-9A-Za-z_\195\128-\244\143\191\191]",
  i = "[0-9A-Za-z_\195\128-\244\143\191\191]",
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

---Why something in a pattern cannot be searched for in a whole file.
local REASONS = {
  ["\\z"] = "a match cannot start or end within it",
  ["@"] = "look-around is not supported",
  ["digit"] = "back-references are not supported",
  ["\\n"] = "lines are searched one by one",
  ["_"] = "lines are searched one by one",
  ["boundary"] = "word boundaries need ASCII letters",
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

---@class forge.PatternParser
---@field pattern string
---@field position integer After the token that is being looked at.
---@field magic "v"|"m"|"M"|"V"
---@field at_start boolean Whether a `^` here means the start of the line.
---@field ignore_case? boolean
---@field parts string[]
---@field plain? string[] The text itself, as long as nothing has a special meaning.
local Parser = {}
Parser.__index = Parser

---@param expression string
function Parser:add(expression)
  table.insert(self.parts, expression)
  self.plain = nil
end

---@param text string
function Parser:add_literal(text)
  table.insert(self.parts, M.literal(text))
  if self.plain then
    table.insert(self.plain, text)
  end
end

---@return string what comes next
function Parser:rest()
  return self.pattern:sub(self.position)
end

---A letter after a backslash.
---@param letter string
---@param was_start boolean
---@return string? failure
function Parser:letter(letter, was_start)
  if MAGIC[letter] then
    self.magic, self.at_start = letter, was_start
  elseif letter == "c" or letter == "C" then
    self.ignore_case, self.at_start = letter == "c", was_start
  elseif CLASSES[letter] then
    self:add(CLASSES[letter])
  else
    return letter == "z" and "\\z" or letter == "n" and "\\n" or ""
  end
end

---`\<` and `\>`
---@param start integer
---@return string? failure
function Parser:boundary(start)
  local before, after = self.pattern:sub(start - 1, start - 1), self:rest()
  if before:find("[\128-\255]") or after:find("^[\128-\255]") then
    return "boundary"
  end
  self:add("\\b")
end

---@return string? failure
function Parser:counted()
  local lazy, low, comma, high, after = self.pattern:match("^(%-?)(%d*)(,?)(%d*)\\?}()", self.position)
  if not after then
    return ""
  end
  self.position = after
  local counted = comma == "" and low ~= "" and low or (low == "" and "0" or low) .. "," .. high
  self:add("{" .. counted .. "}" .. (lazy == "-" and "?" or ""))
end

---@return string? failure
function Parser:percent()
  if not self:rest():find("^%(") then
    return ""
  end
  self:add("(?:")
  self.position, self.at_start = self.position + 1, true
end

function Parser:collection()
  local expression, after = collection(self.pattern, self.position)
  if expression and after then
    self:add(expression)
    self.position = after
  else
    self:add_literal("[")
  end
end

local MEANINGS = { ["."] = ".", ["+"] = "+", ["="] = "?", ["?"] = "?", [")"] = ")" }

---A character that has a meaning.
---@param token string
---@param was_start boolean
---@param start integer
---@return string? failure
function Parser:active(token, was_start, start)
  if MEANINGS[token] then
    self:add(MEANINGS[token])
  elseif token == "|" or token == "(" then
    self:add(token)
    self.at_start = true
  elseif (token == "^" or token == "*") and was_start == (token == "^") then
    self:add(token)
  elseif token == "^" or token == "*" then
    self:add_literal(token)
  elseif token == "$" then
    local rest = self:rest()
    local ends = rest == "" or rest:find("^\\[|)]") or (self.magic == "v" and rest:find("^[|)]"))
    local add = ends and self.add or self.add_literal
    add(self, "$")
  elseif token == "<" or token == ">" then
    return self:boundary(start)
  elseif token == "{" then
    return self:counted()
  elseif token == "%" then
    return self:percent()
  elseif token == "[" then
    self:collection()
  else
    return token:find("%d") and "digit" or token
  end
end

---@return string? failure
function Parser:next()
  local start = self.position
  local char = self.pattern:sub(start, start)
  local backslash = char == "\\"
  local token = backslash and self.pattern:sub(start + 1, start + 1) or char
  local is_magic = MAGIC[self.magic]:find(token, 1, true) ~= nil
  local was_start = self.at_start
  self.position, self.at_start = start + (backslash and 2 or 1), false
  if backslash and token == "" then
    return ""
  elseif backslash and token:find("%a") then
    return self:letter(token, was_start)
  elseif not backslash and is_magic or backslash and not is_magic and ESCAPED:find(token, 1, true) then
    return self:active(token, was_start, start)
  end
  self:add_literal(token)
end

---@param pattern string
---@param start integer
---@return string what cannot be expressed, as it was typed
local function token_at(pattern, start)
  return pattern:match("^\\z[se]", start)
    or pattern:match("^\\_.", start)
    or pattern:match("^\\?@%d*<?[=!>]", start)
    or pattern:match("^\\?%%[^%s]+", start)
    or pattern:match("^\\.", start)
    or pattern:sub(start, start)
end

---@param pattern string
---@return forge.Translation?
---@return string? failure what cannot be expressed, and why
function M.translate(pattern)
  local state = { pattern = pattern, position = 1, magic = "m", at_start = true, parts = {}, plain = {} }
  local parser = setmetatable(state, Parser) ---@type forge.PatternParser
  while parser.position <= #pattern do
    local start = parser.position
    local failure = parser:next()
    if failure then
      local reason = REASONS[failure]
      return nil, token_at(pattern, start) .. " is not understood here" .. (reason and ": " .. reason or "")
    end
  end
  local text = parser.plain and table.concat(parser.plain)
  return {
    regex = table.concat(parser.parts),
    literal = text ~= "" and text or nil,
    ignore_case = parser.ignore_case,
  }
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
