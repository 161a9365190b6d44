---What is searched for: as it is typed after `:Forge find`, or as Vim has it.
local messages = require("forge.messages")
local vim_pattern = require("forge.vim_pattern")

local M = {}

---@class forge.Pattern : forge.Searched
---@field shown string As it was typed.
---@field label? string What is shown with a match, where it is not what was typed.
---@field direction forge.Direction
---@field is_word? boolean 'smartcase' is not used.
---@field register string What Neovim's own search pattern was then: another one since then takes its place.
---@field match? forge.FindMatch The one the cursor was put on.

---@param text string
---@return boolean
local function ignores_case(text)
  return vim.o.ignorecase and not (vim.o.smartcase and text:find("%u") ~= nil)
end

---A literal, or a regular expression between slashes.
---@param typed string
---@return forge.Pattern
function M.parse(typed)
  local expression = typed:match("^/(.+)/$")
  local text = expression or typed
  return {
    shown = typed,
    label = expression and typed,
    text = text,
    regex = expression ~= nil,
    ignore_case = ignores_case(text),
    direction = "forward",
    register = vim.fn.getreg("/"),
  }
end

---A pattern as Neovim has it.
---@param pattern string
---@param direction forge.Direction
---@param is_word? boolean 'smartcase' is not used then
---@return forge.Pattern?
function M.from_vim(pattern, direction, is_word)
  local translation, failure = vim_pattern.translate(pattern)
  if not translation then
    return messages.fail({ code = "INVALID_ARGUMENT", message = failure, hint = ":help forge-find" })
  end
  local ignore_case = translation.ignore_case
  if ignore_case == nil then
    ignore_case = is_word and vim.o.ignorecase or not is_word and ignores_case((pattern:gsub("\\.", "")))
  end
  return {
    shown = pattern,
    text = translation.literal or translation.regex,
    regex = not translation.literal,
    ignore_case = ignore_case,
    direction = direction,
    is_word = is_word,
    register = pattern,
  }
end

return M
