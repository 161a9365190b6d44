---The colours of lines that match: a filter sees the text without escape sequences, so those are read for themselves.
local asking = require("forge.asking")
local colours = require("forge.colours")
local daemon = require("forge.daemon")

local M = {}

---The most windows in one request.
local MOST_FILES = 50

---@param view forge.View
---@param line integer
---@param raw string with its sequences
local function show(view, line, raw)
  local row, lines = view:row(line), { (raw:gsub("\n$", "")) }
  local found = colours.take_out(lines)
  if row and vim.api.nvim_buf_get_lines(view.buf, row - 1, row, false)[1] == lines[1] then
    colours.show(view.buf, row - 1, found)
  end
end

---Show the colours of the lines that can be seen.
---@param view forge.View
function M.show_visible(view)
  local window = view.ansi and view.count > 0 and view:window()
  if not window then
    return
  end
  local wanted, files = {}, {}
  for row = vim.fn.line("w0", window), math.min(view.count, vim.fn.line("w$", window)) do
    local line = view:number(row)
    if #files < MOST_FILES and line > 0 and not view.asked_colours[line] then
      view.asked_colours[line] = true
      table.insert(wanted, line)
      local selector = { path = view.path, start_line = line, limit = 1, columns = { start = 1, count = asking.WIDTH } }
      table.insert(files, vim.tbl_extend("force", view:file_parameters(), selector))
    end
  end
  if #files == 0 then
    return
  end
  daemon.request("forge/readFiles", { files = files }, function(_, answer)
    for index, item in ipairs(answer and view:is_open() and answer.results or {}) do
      if item.result then
        show(view, wanted[index], item.result.content)
      end
    end
    M.show_visible(view) -- Others may have come into sight.
  end)
end

return M
