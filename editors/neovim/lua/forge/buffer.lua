---What makes a buffer a window on a file: its options, its keys, and what happens to it.
local follow = require("forge.follow")
local keys = require("forge.keys")
local loading = require("forge.loading")
local match_colours = require("forge.match_colours")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local roots = require("forge.roots")
local selection = require("forge.selection")
local travel = require("forge.travel")
local views = require("forge.view")
local visible_records = require("forge.visible_records")
local yank = require("forge.yank")

local M = {}

---@param view forge.View
---@param on_unload fun()
function M.prepare(view, on_unload)
  local options = vim.bo[view.buf]
  -- "nowrite" and not "nofile", so that sessions restore it.
  options.buftype, options.bufhidden, options.swapfile = "nowrite", "hide", false
  options.undolevels, options.modifiable, options.readonly = -1, false, true
  local group = vim.api.nvim_create_augroup("forge_view_" .. view.buf, {})
  local function on(when, act)
    -- Nested: while one of them waits for lines, other buffers may be read and sessions written.
    vim.api.nvim_create_autocmd(when, { group = group, buffer = view.buf, callback = act, nested = true })
  end
  on({ "CursorMoved", "WinScrolled" }, function()
    loading.grow(view)
    numbers.publish(view)
    match_colours.show_visible(view)
    visible_records.update(view)
  end)
  vim.api.nvim_buf_attach(view.buf, false, {
    on_lines = vim.schedule_wrap(function()
      if view:is_open() then
        visible_records.update_again(view)
      end
    end),
  })
  on({ "BufEnter", "FocusGained" }, function()
    roots.sync() -- A directory opened by hand is closed while no window shows it.
    if view.fill and not view.cancel then
      return view.fill() -- It was left before its first lines came.
    elseif view.etag then
      follow.resume(view)
      travel.check(view)
    end
  end)
  on("BufHidden", function()
    follow.suspend(view)
    view:stop()
  end)
  on({ "BufWriteCmd", "FileWriteCmd", "FileAppendCmd" }, function()
    local hint = "type :w {file} to write them all"
    messages.fail({ code = "INVALID_ARGUMENT", message = "nothing written: not all lines are loaded", hint = hint })
  end)
  on("TextYankPost", function()
    yank.complete(view, vim.v.event)
  end)
  on("ModeChanged", function()
    selection.on_mode_changed(view, vim.v.event.old_mode, vim.v.event.new_mode)
    visible_records.update(view)
  end)
  on("BufUnload", function()
    vim.api.nvim_del_augroup_by_id(group)
    if views.of(view.buf) == view then
      on_unload()
      view:close()
    end
  end)
  keys.map(view)
end

---Filetype, and with it syntax and folding, as for the file itself; and "forge", by which keys can be mapped.
---@param view forge.View
function M.detect_filetype(view)
  local options = vim.bo[view.buf]
  if options.filetype ~= "" then
    return
  end
  local name = view.compression and vim.fn.fnamemodify(view.path, ":r") or view.path
  local filetype, configure = vim.filetype.match({ filename = name, buf = view.buf })
  if filetype then -- Neovim 0.10 takes the whole of it for a language.
    local language = vim.treesitter.language.get_lang(filetype) or filetype
    vim.treesitter.language.register(language, filetype .. ".forge")
  end
  options.filetype = filetype and filetype .. ".forge" or "forge"
  if configure then
    configure(view.buf)
  end
end

return M
