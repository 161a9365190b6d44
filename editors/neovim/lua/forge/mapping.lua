---How a key of a window is given another meaning, or keeps its own.
local M = {}

---As if it were not mapped, and before whatever was typed after it.
---@param key string
function M.plainly(key)
  local count = vim.v.count > 0 and vim.v.count or ""
  vim.api.nvim_feedkeys(count .. vim.keycode(key), "ni", false)
end

---@param view forge.View
---@param modes string|string[]
---@param key string
---@param act fun()
---@param description string
function M.map(view, modes, key, act, description)
  vim.keymap.set(modes, key, act, { buffer = view.buf, nowait = true, desc = "forge: " .. description })
end

local RUN = vim.keycode("<Cmd>lua require('forge.mapping').run()<CR>")
local chosen = function() end ---@type fun()

---Do what the last mapping chose.
function M.run()
  chosen()
end

---A key after an operator: it is left alone where it returns nothing; otherwise that is done, and the operator ends.
---In other modes Neovim may ask such a mapping before the command typed ahead of it is done.
---@param view forge.View
---@param key string
---@param choose fun(): fun()?
---@param description string
function M.choose(view, key, choose, description)
  vim.keymap.set("o", key, function()
    local act = choose()
    if not act then
      return vim.keycode(key)
    end
    chosen = act
    return "\27" .. RUN
  end, {
    buffer = view.buf,
    nowait = true,
    expr = true,
    replace_keycodes = false,
    desc = "forge: " .. description,
  })
end

---Do something in place of what was typed, before whatever was typed after it.
---@param act fun()
function M.run_next(act)
  chosen = act
  vim.api.nvim_feedkeys(RUN, "ni", false)
end

return M
