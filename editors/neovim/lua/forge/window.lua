---Opening a window on a file, and what makes its buffer one.
local buffer = require("forge.buffer")
local changes = require("forge.changes")
local counting = require("forge.counting")
local events = require("forge.events")
local filters = require("forge.filters")
local follow = require("forge.follow")
local match_colours = require("forge.match_colours")
local messages = require("forge.messages")
local names = require("forge.names")
local pages = require("forge.pages")
local roots = require("forge.roots")
local travel = require("forge.travel")
local views = require("forge.view")

local M = {}

---@class forge.Left
---@field place forge.Place
---@field lines? string[] What was shown, where the file was gone by then.
---@field view forge.View
---@field follow? "following"|"paused"

local wanted = {} ---@type table<string, forge.Opening> where the next window on a file starts, by buffer name
local copied = {} ---@type table<string, forge.View> which view the next one shows the same lines as, by buffer name
local left = {} ---@type table<string, forge.Left> what a buffer showed before it was unloaded, by its name

---@param view forge.View
local function remember(view)
  local is_gone = not vim.uv.fs_stat(view.path)
  left[vim.api.nvim_buf_get_name(view.buf)] = {
    place = view:place(),
    lines = is_gone and vim.api.nvim_buf_get_lines(view.buf, 0, -1, false) or nil,
    view = view,
    follow = follow.state(view),
  }
end

---@param window integer
---@return integer buf what it showed before, or an empty one
function M.shown_before(window)
  local alternate = vim.api.nvim_win_call(window, function()
    return vim.fn.bufnr("#")
  end)
  return vim.api.nvim_buf_is_loaded(alternate) and alternate or vim.api.nvim_create_buf(true, false)
end

---Close a view that shows nothing. Neovim would close its windows with it; they stay, unless they were made for it.
---@param view forge.View
function M.give_up(view)
  local before = view.filter and (views.on(view.path, view.rotated) or {}).buf or view.opened_from
  if before == view.buf then -- An empty buffer without a name, which Neovim used for this one.
    before = vim.api.nvim_create_buf(true, false)
  end
  for _, window in ipairs(vim.fn.win_findbuf(view.buf)) do
    if not (view.is_in_new_split and pcall(vim.api.nvim_win_close, window, true)) then
      local is_there = before and vim.api.nvim_buf_is_loaded(before)
      vim.api.nvim_win_set_buf(window, is_there and before or M.shown_before(window))
    end
  end
  pcall(vim.api.nvim_buf_delete, view.buf, { force = true })
  view.on_given_up()
end

---@param view forge.View
---@param before? forge.Left
---@param error forge.Error
local function on_failure(view, before, error)
  if error.code == "NOT_FOUND" and before and before.lines then
    pages.restore(view, before.view, before.lines)
    view:put_cursor(view:row(before.place.line) or 1, before.place.column)
    return changes.tell_failure(view, error)
  end
  M.give_up(view)
  messages.fail(error)
end

---What makes a buffer show again what it showed before.
---@param before forge.Left
---@return forge.Opening
local function reopening(before)
  local view = before.view
  local start = before.place.line > 0 and before.follow ~= "following" and before.place.line or "end"
  return { start = start, filter = view.filter, ansi = view.ansi, encoding = view.encoding, rotated = view.rotated }
end

---@param view forge.View
local function say_if_malformed(view)
  local meta = view.meta
  if meta and meta.decode_errors > 0 and not view.encoding then
    local text = "%s is not all %s; try :Forge open ++enc={encoding}"
    messages.warn(text:format(vim.fs.basename(view.path), meta.encoding:upper()))
  end
end

---Fill a `forge://` buffer.
---@param buf integer
---@param name string
function M.read(buf, name)
  local path = names.path_of(name)
  local view = views.create(buf, path)
  local original = copied[name] ---@type forge.View?
  local before = not original and left[name] or nil
  left[name] = nil
  local opening = wanted[name] or before and reopening(before) or {} ---@type forge.Opening
  if original then
    opening = { filter = original.filter, rotated = original.rotated }
  end
  view.filter, view.encoding, view.ansi = opening.filter, opening.encoding, opening.ansi
  view.is_coloured = opening.ansi ~= nil
  view.rotated = opening.rotated or names.is_rotated(name) or nil
  view.is_in_new_split = (opening.modifiers or "") ~= ""
  view.on_given_up = opening.given_up or view.on_given_up
  view.opened_from = opening.from
  view.places = before and before.view.places
  view.earlier_filters = before and before.view.earlier_filters or {}
  view.resumes_follow = before ~= nil and not wanted[name] and before.follow ~= nil
  buffer.prepare(view, function()
    remember(view)
  end)
  roots.sync()
  if original then
    vim.bo[buf].buflisted = false
    pages.copy(view, original)
    view.places, view.earlier_filters = vim.deepcopy(original.places), vim.list_slice(original.earlier_filters)
    counting.soon(view)
    return buffer.detect_filetype(view)
  end
  view.on_filled = function()
    local is_new = view.fill ~= nil -- A file that is replaced while it is followed fills its window again.
    view.fill = nil
    local after_filled = view.after_filled
    view.after_filled = {}
    if view.filter and view.count == 0 and not view.follow then
      messages.warn(("%s has no such lines (%s)"):format(vim.fs.basename(path), filters.describe(view.filter)))
      return vim.schedule(function()
        M.give_up(view)
      end)
    end
    buffer.detect_filetype(view)
    say_if_malformed(view)
    vim.schedule(function()
      if not view:is_open() then
        return
      end
      follow.resume(view)
      M.separate()
      match_colours.show_visible(view)
      if is_new then
        events.fire(view.filter and "ForgeFiltered" or "ForgeOpened", view)
      end
      for _, act in ipairs(after_filled) do
        act()
      end
    end)
  end
  view.fill = function()
    travel.go(view, opening.start or 1, {
      column = opening.column and opening.column - 1,
      failed = function(error)
        on_failure(view, before, error)
      end,
    })
  end
  view.fill()
end

---@param path string
---@return string? why it cannot be shown
local function fault(path)
  local status = vim.uv.fs_stat(path)
  if not status then
    return "there is no file " .. vim.fn.fnamemodify(path, ":~:.")
  elseif status.type ~= "file" then
    return vim.fn.fnamemodify(path, ":~:.") .. " is not a file"
  elseif not names.is_utf8(path) then
    return ("the name of %s is not in UTF-8; :edit loads it whole"):format(vim.fn.fnamemodify(path, ":~:."))
  end
end

---@param path string
---@return string whatever `~` or `$` it holds is part of the name
local function absolute(path)
  local is_absolute = path:find("^/") or path:find("^%a:[/\\]")
  path = is_absolute and path or vim.fs.joinpath(assert(vim.uv.cwd()), path)
  return vim.fs.normalize(path, { expand_env = false })
end

---@param view? forge.View
---@param name string
---@param opening forge.Opening
local function switch_to(view, name, opening)
  local modifiers = opening.modifiers or ""
  local keepalt = opening.keeps_alternate and "keepalt " or ""
  if view and modifiers == "" then
    vim.cmd(("%sbuffer %d"):format(keepalt, view.buf))
  else
    local command = modifiers == "" and keepalt .. "edit" or modifiers .. " split"
    vim.cmd(("%s %s"):format(command, vim.fn.fnameescape(name)))
  end
end

---@class forge.Opening
---@field start? forge.Start Where it is already open, its place is kept if absent; else 1.
---@field column? integer From 1.
---@field filter? forge.FilterParams
---@field encoding? string
---@field ansi? "strip" With a filter.
---@field whole? boolean Not a filtered window on it.
---@field rotated? true With its rotated files, as one text.
---@field modifiers? string Command modifiers like "vertical": open it in a split.
---@field keeps_alternate? boolean CTRL-^ leads to what it led to before.
---@field given_up? fun() Called where nothing could be shown.
---@field from? integer The buffer one was in.

---Show a file in another encoding, at the same line; as before if that cannot be done.
---@param view forge.View
---@param opening forge.Opening
local function reread(view, opening)
  local before, line = view.encoding, math.max(1, view:line())
  view.encoding = opening.encoding
  pages.clear(view)
  travel.go(view, opening.start or line, {
    failed = function(error)
      view.encoding = before
      travel.go(view, line)
      messages.fail(error)
    end,
  })
end

---In a window that did not show it before, Neovim goes to some row of what is loaded.
---@param view forge.View
---@return forge.Place where one is in it, or was when it was last seen
local function last_place(view)
  if view:window() then
    return view:place()
  end
  return { line = (vim.b[view.buf].forge or {}).line or 0, column = 0 }
end

---Open a window on a file, or go there in the one that is open.
---@param path string
---@param opening? forge.Opening
---@return forge.View? nil where it cannot be shown, which is said
function M.open(path, opening)
  opening = opening or {}
  path = absolute(path)
  local reason = fault(path)
  if reason then
    return messages.fail({ code = "NOT_FOUND", message = vim.fn.strtrans(reason) })
  end
  local name = names.of_buffer(path, opening.rotated and "rotated" or nil)
  local here = views.of()
  local is_here = here and here.path == path and here.rotated == opening.rotated
  local view = is_here and not (opening.whole and here.filter) and here or views.on(path, opening.rotated)
  local place = view and last_place(view)
  opening.from = not opening.keeps_alternate and vim.api.nvim_get_current_buf() or nil
  wanted[name] = opening
  local shown, refusal = pcall(switch_to, view, name, opening)
  wanted[name] = nil
  if not shown then -- The buffer in the way has changes and cannot be hidden.
    return messages.fail({ code = "INVALID_ARGUMENT", message = tostring(refusal):match("E%d+: .*") or refusal })
  end
  M.separate()
  local current = views.of()
  if current and view and opening.encoding and opening.encoding ~= view.encoding then
    reread(current, opening)
  elseif current and view and opening.start then
    roots.sync()
    travel.go(current, opening.start or 1, { column = opening.column and opening.column - 1 })
  elseif current and place and place.line > 0 and place.line ~= current:line() then
    travel.go_to(current, place.line, { column = place.column })
  end
  return current
end

---@param path string
---@param kind string
---@return string the name of a buffer that no window shows, and whose lines are not being written
local function free_name(path, kind)
  local used = {}
  for buf, view in pairs(views.all()) do
    used[vim.api.nvim_buf_get_name(buf)] = #vim.fn.win_findbuf(buf) > 0 or next(view.beside) ~= nil
  end
  local number = kind == "" and 2 or 1
  while true do
    local name = names.of_buffer(path, kind .. (number > 1 and number or ""))
    if not used[name] then
      return name
    end
    number = number + 1
  end
end

---Show only the lines of a view's file that match, in its window.
---@param view forge.View
---@param filter forge.FilterParams
---@param line integer
function M.open_filter(view, filter, line)
  local name = free_name(view.path, "filter")
  local ansi = (view.is_coloured or view.ansi) and "strip" or nil
  wanted[name] = { filter = filter, start = line, encoding = view.encoding, ansi = ansi, rotated = view.rotated }
  local buf = vim.fn.bufnr(name)
  if buf >= 0 and vim.api.nvim_buf_is_loaded(buf) then
    vim.api.nvim_buf_delete(buf, { force = true })
  end
  left[name] = nil -- What was shown under this name is nothing to come back to.
  vim.cmd("keepalt edit " .. vim.fn.fnameescape(name))
  wanted[name] = nil
  vim.bo.buflisted = false
end

---@param window integer
---@param view forge.View
local function give_own_view(window, view)
  local position = vim.api.nvim_win_call(window, vim.fn.winsaveview)
  local has_numbers = vim.wo[window].number
  local name = free_name(view.path, view.filter and "filter" or view.rotated and "rotated" or "")
  local buf = vim.fn.bufadd(name)
  copied[name] = view
  if vim.api.nvim_buf_is_loaded(buf) then
    vim.api.nvim_buf_delete(buf, { unload = true })
  end
  vim.api.nvim_win_call(window, function()
    vim.cmd(("keepalt keepjumps buffer %d"):format(buf))
    vim.fn.winrestview(position)
  end)
  vim.wo[window][0].number = has_numbers
  copied[name] = nil
end

---Give each window on a file a view of its own, so that they can be at different places.
function M.separate()
  for _, view in pairs(vim.tbl_extend("force", {}, views.all())) do
    local windows = vim.tbl_filter(function(window)
      return vim.api.nvim_win_get_config(window).relative == ""
    end, vim.fn.win_findbuf(view.buf))
    table.sort(windows) -- The oldest one keeps it.
    for index = 2, view.etag and #windows or 0 do
      give_own_view(windows[index], view)
    end
  end
end

---The file of the current buffer, be it a window on it or the file itself.
---@return string?
function M.current_file()
  local view = views.of()
  local name = view and view.path or vim.api.nvim_buf_get_name(0)
  return name ~= "" and vim.bo.buftype ~= "terminal" and name or nil
end

return M
