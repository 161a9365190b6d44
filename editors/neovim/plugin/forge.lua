if vim.g.loaded_forge then
  return
end
vim.g.loaded_forge = true

if vim.fn.has("nvim-0.10") == 0 then
  vim.api.nvim_echo({ { "forge: Neovim 0.10 or later is needed", "WarningMsg" } }, true, {})
  return
end

vim.api.nvim_create_user_command("Forge", function(command)
  local split = command.smods.split ~= ""
    or command.smods.vertical
    or command.smods.horizontal
    or command.smods.tab >= 0
  require("forge.commands").run(command.args, { modifiers = split and command.mods or "", bang = command.bang })
end, {
  nargs = "*",
  bang = true,
  desc = "Windows on files of any size",
  complete = function(_, line, position)
    return require("forge.commands").complete(line:sub(1, position))
  end,
})

vim.opt.shada:append("rforge:") -- `:oldfiles` lists files, not windows on them.

local group = vim.api.nvim_create_augroup("forge", {})

vim.api.nvim_create_autocmd("BufReadCmd", {
  group = group,
  pattern = "forge://*",
  nested = true,
  callback = function(event)
    require("forge.window").read(event.buf, event.match)
  end,
})

vim.api.nvim_create_autocmd("BufWinEnter", {
  group = group,
  pattern = "forge://*",
  callback = function()
    require("forge.numbers").show_in(vim.api.nvim_get_current_win())
  end,
})

vim.api.nvim_create_autocmd({ "BufEnter", "WinEnter" }, {
  group = group,
  callback = function()
    if package.loaded["forge.numbers"] then
      require("forge.numbers").choose_ruler()
    end
  end,
})

vim.api.nvim_create_autocmd({ "WinNew", "BufWinEnter" }, {
  group = group,
  callback = function()
    if package.loaded["forge.window"] then
      vim.schedule(require("forge.window").separate)
    end
  end,
})

if vim.fn.exists("##SessionWritePost") == 1 then
  vim.api.nvim_create_autocmd("SessionWritePost", {
    group = group,
    callback = function()
      if package.loaded["forge.window"] then
        require("forge.sessions").add()
      end
    end,
  })
end

vim.api.nvim_create_autocmd("CmdlineLeave", {
  group = group,
  callback = function()
    if package.loaded["forge.keys"] then
      require("forge.keys").on_command_line_left()
    end
  end,
})

vim.api.nvim_create_autocmd("BufNew", {
  group = group,
  callback = function(event)
    require("forge.large_file").watch(event.buf)
  end,
})

-- Where there is a person, the daemon is started at once, so that nobody waits for it later. It is told of projects
-- and buffers when it is first used.
local start_daemon = vim.schedule_wrap(function()
  require("forge.daemon").start()
end)
if #vim.api.nvim_list_uis() > 0 and vim.v.vim_did_enter == 1 then
  start_daemon() -- A plugin manager was late.
else
  vim.api.nvim_create_autocmd("UIEnter", { group = group, once = true, callback = start_daemon })
end

for _, buf in ipairs(vim.api.nvim_list_bufs()) do
  require("forge.large_file").watch(buf)
end
