---What happened to the daemon and what it said, for `:Forge log`. The oldest lines go first.
local M = {}

local MOST_LINES = 1000
local lines = {} ---@type string[]

---@param text string
function M.add(text)
  for line in vim.gsplit(text, "\n", { plain = true, trimempty = true }) do
    table.insert(lines, ("%s  %s"):format(os.date("%H:%M:%S"), line))
  end
  while #lines > MOST_LINES do
    table.remove(lines, 1)
  end
end

---@return string[]
function M.lines()
  return vim.list_slice(lines)
end

return M
