---`:Forge log`
local M = {}

function M.run()
  local lines = require("forge.log").lines()
  if #lines == 0 then
    lines = { "nothing yet: the daemon starts when it is needed first" }
  end
  vim.cmd("botright new")
  local buf = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  local options = vim.bo[buf]
  options.buftype, options.bufhidden, options.swapfile = "nofile", "wipe", false
  options.modifiable, options.filetype = false, "forgelog"
  vim.cmd.normal({ "G", bang = true })
end

return M
