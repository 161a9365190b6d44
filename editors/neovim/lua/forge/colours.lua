---Terminal escape sequences: taken out of the text, and the colours they ask for shown as highlights.
local M = {}

local namespace = vim.api.nvim_create_namespace("forge.colours")

---The colours of xterm, for terminals that set none.
local PALETTE = {
  [0] = 0x000000,
  0xcd0000,
  0x00cd00,
  0xcdcd00,
  0x1e90ff,
  0xcd00cd,
  0x00cdcd,
  0xe5e5e5,
  0x7f7f7f,
  0xff0000,
  0x00ff00,
  0xffff00,
  0x5c5cff,
  0xff00ff,
  0x00ffff,
  0xffffff,
}
local CUBE = { [0] = 0, 95, 135, 175, 215, 255 }

---A colour by its number in the palette, or as red, green and blue.
---@class forge.Colour
---@field index? integer 0 to 255
---@field rgb? integer

---@class forge.Style
---@field foreground? forge.Colour
---@field background? forge.Colour
---@field bold? boolean
---@field dim? boolean
---@field italic? boolean
---@field underline? boolean
---@field strikethrough? boolean
---@field reverse? boolean

---Some bytes of a line, from 0 and without the last, that have a style.
---@class forge.Span
---@field start integer
---@field finish integer
---@field group string

---@param index integer
---@return integer
local function rgb_of(index)
  if index < 16 then
    local configured = vim.g["terminal_color_" .. index]
    return type(configured) == "string" and tonumber(configured:match("^#(%x+)$") or "", 16) or PALETTE[index]
  elseif index < 232 then
    local cube = index - 16
    return CUBE[math.floor(cube / 36)] * 65536 + CUBE[math.floor(cube / 6) % 6] * 256 + CUBE[cube % 6]
  end
  return (8 + 10 * (index - 232)) * 0x010101
end

---@param rgb integer
---@return integer the nearest colour of the cube
local function index_of(rgb)
  local function level(value)
    return value < 48 and 0 or value < 115 and 1 or math.floor((value - 35) / 40)
  end
  local red, green, blue = math.floor(rgb / 65536), math.floor(rgb / 256) % 256, rgb % 256
  return 16 + 36 * level(red) + 6 * level(green) + level(blue)
end

---@param colour? forge.Colour
---@return string
local function name_of(colour)
  return not colour and "" or colour.index and tostring(colour.index) or ("%06x"):format(colour.rgb)
end

local known = {} ---@type table<string, forge.Style>

---@param colour? forge.Colour
---@return integer?
local function exact(colour)
  return colour and (colour.rgb or rgb_of(colour.index))
end

---Neovim has no dim text: show it halfway between its colour and what is behind it.
---@param style forge.Style
---@return integer
local function dimmed(style)
  local normal, is_dark = vim.api.nvim_get_hl(0, { name = "Normal", link = false }), vim.o.background == "dark"
  local front = exact(style.foreground) or normal.fg or (is_dark and 0xe5e5e5 or 0x000000)
  local back = exact(style.background) or normal.bg or (is_dark and 0x000000 or 0xffffff)
  local mixed = 0
  for _, unit in ipairs({ 65536, 256, 1 }) do
    mixed = mixed + unit * math.floor((math.floor(front / unit) % 256 + math.floor(back / unit) % 256) / 2)
  end
  return mixed
end

---@param group string
---@param style forge.Style
local function define(group, style)
  local foreground, background = style.foreground, style.background
  if style.dim then
    foreground = { rgb = dimmed(style) }
  end
  vim.api.nvim_set_hl(0, group, {
    fg = exact(foreground),
    bg = exact(background),
    ctermfg = foreground and (foreground.index or index_of(foreground.rgb)),
    ctermbg = background and (background.index or index_of(background.rgb)),
    bold = style.bold,
    italic = style.italic,
    underline = style.underline,
    strikethrough = style.strikethrough,
    reverse = style.reverse,
  })
end

---@param style forge.Style
---@return string? the highlight group; nil for plain text
local function group_of(style)
  local flags = {}
  for _, flag in ipairs({ "bold", "dim", "italic", "underline", "strikethrough", "reverse" }) do
    table.insert(flags, style[flag] and flag:sub(1, 1) or "")
  end
  local name = ("%s_%s_%s"):format(name_of(style.foreground), name_of(style.background), table.concat(flags))
  if name == "__" then
    return
  end
  local group = "ForgeAnsi_" .. name
  if not known[group] then
    known[group] = style
    define(group, style)
  end
  return group
end

vim.api.nvim_create_autocmd("ColorScheme", {
  group = vim.api.nvim_create_augroup("forge_colours", {}),
  callback = function() -- A colour scheme clears all groups.
    for group, style in pairs(known) do
      define(group, style)
    end
  end,
})

---@param codes integer[]
---@param position integer of 38 or 48
---@return forge.Colour?
---@return integer position of its last code
local function extended(codes, position)
  if codes[position + 1] == 5 and codes[position + 2] then
    return { index = math.min(255, codes[position + 2]) }, position + 2
  elseif codes[position + 1] == 2 and codes[position + 4] then
    local red, green, blue = codes[position + 2], codes[position + 3], codes[position + 4]
    return { rgb = math.min(255, red) * 65536 + math.min(255, green) * 256 + math.min(255, blue) }, position + 4
  end
  return nil, #codes
end

local ON = { [1] = "bold", [2] = "dim", [3] = "italic", [4] = "underline", [7] = "reverse", [9] = "strikethrough" }
local OFF = { [22] = "bold", [23] = "italic", [24] = "underline", [27] = "reverse", [29] = "strikethrough" }

---@param style forge.Style
---@param parameters string of a sequence that ends in `m`
---@return forge.Style
local function apply(style, parameters)
  style = vim.tbl_extend("force", {}, style)
  local codes = {}
  for code in (parameters .. ";"):gmatch("(%d*)[;:]") do
    table.insert(codes, tonumber(code) or 0)
  end
  local position = 1
  while position <= #codes do
    local code = codes[position]
    if code == 0 then
      style = {}
    elseif ON[code] then
      style[ON[code]] = true
    elseif OFF[code] then
      style[OFF[code]] = nil
      style.dim = code ~= 22 and style.dim or nil -- 22 ends both.
    elseif code == 38 then
      style.foreground, position = extended(codes, position)
    elseif code == 48 then
      style.background, position = extended(codes, position)
    elseif code == 39 then
      style.foreground = nil
    elseif code == 49 then
      style.background = nil
    elseif code >= 30 and code <= 37 then
      style.foreground = { index = code - 30 }
    elseif code >= 40 and code <= 47 then
      style.background = { index = code - 40 }
    elseif code >= 90 and code <= 97 then
      style.foreground = { index = code - 82 }
    elseif code >= 100 and code <= 107 then
      style.background = { index = code - 92 }
    end
    position = position + 1
  end
  return style
end

---The forms of ECMA-48, as the daemon takes them out too.
---@param text string
---@param start integer of the escape character
---@return integer position after the sequence
---@return string? parameters where it sets colours
local function sequence_at(text, start)
  local parameters, intermediates, final, after = text:match("^%[([0-?]*)([ -/]*)([@-~])()", start + 1)
  if after then
    return after, final == "m" and intermediates == "" and not parameters:find("[<=>?]") and parameters or nil
  end
  after = text:match("^%][^\7\27]*\7()", start + 1)
    or text:match("^%][^\7\27]*\27\\()", start + 1)
    or text:match("^[PX^_][^\27]*\27\\()", start + 1)
    or text:match("^[ -/]+[0-~]()", start + 1)
    or text:match("^[0-~]()", start + 1)
  return after or start + 1
end

---@param line string
---@return string text without sequences
---@return forge.Span[] spans
function M.parse(line)
  local parts, spans, style, length, position = {}, {}, {}, 0, 1
  while true do
    local start = line:find("\27", position, true)
    local plain = line:sub(position, start and start - 1)
    local group = plain ~= "" and group_of(style)
    if group then
      table.insert(spans, { start = length, finish = length + #plain, group = group })
    end
    table.insert(parts, plain)
    length = length + #plain
    if not start then
      return table.concat(parts), spans
    end
    local parameters
    position, parameters = sequence_at(line, start)
    if parameters then
      style = apply(style, parameters)
    end
  end
end

---@param text string of any number of lines
---@return string
function M.strip(text)
  if not text:find("\27", 1, true) then
    return text
  end
  return (text:gsub("[^\n]*", function(line)
    return line:find("\27", 1, true) and M.parse(line) or nil
  end))
end

---Take the sequences out of some lines.
---@param lines string[] changed
---@return table<integer, forge.Span[]>? spans by the line's index; nil where no line has any
function M.take_out(lines)
  local found
  for index, line in ipairs(lines) do
    if line:find("\27", 1, true) then
      found = found or {}
      lines[index], found[index] = M.parse(line)
    end
  end
  return found
end

---@param buf integer
---@param row integer of the first line, from 0
---@param found? table<integer, forge.Span[]>
function M.show(buf, row, found)
  for index, spans in pairs(found or {}) do
    for _, span in ipairs(spans) do
      vim.api.nvim_buf_set_extmark(buf, namespace, row + index - 1, span.start, {
        end_col = span.finish,
        hl_group = span.group,
        priority = 90,
      })
    end
  end
end

---@param from integer
---@param to integer
function M.copy(from, to)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(from, namespace, 0, -1, { details = true })) do
    local details = mark[4]
    vim.api.nvim_buf_set_extmark(to, namespace, mark[2], mark[3], {
      end_row = details.end_row,
      end_col = details.end_col,
      hl_group = details.hl_group,
      priority = 90,
    })
  end
end

return M
