---Lines of the file, loaded or not, into another file or to a command.
local changes = require("forge.changes")
local copy = require("forge.copy")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local pipe = require("forge.pipe")

local M = {}

local writes = 0 -- Two of the same name at the same time do not meet.

---@param path string
---@return string
local function name_of(path)
  return vim.fn.fnamemodify(path, ":~:.")
end

---@param path string
---@param reason string
local function fail(path, reason)
  messages.fail({ code = "INTERNAL", message = ("%s was not written: %s"):format(name_of(path), reason) })
end

---@param view forge.View
---@param path string
---@param overwrites? boolean
---@return string? why it cannot be written
local function fault(view, path, overwrites)
  local status, name = vim.uv.fs_stat(path), name_of(path)
  if not status then
    return
  elseif vim.uv.fs_realpath(path) == vim.uv.fs_realpath(view.path) then
    return name .. " is the file itself"
  elseif status.type == "directory" then
    return name .. " is a directory"
  elseif not overwrites then
    return name .. " exists (add ! to overwrite it)"
  end
end

---@param view forge.View
---@param range forge.Range
---@return boolean
local function is_whole_file(view, range)
  return range.first == 1 and not range.last and not view:is_transformed()
end

---@param view forge.View
---@param path string
local function copy_all(view, path)
  messages.tell(("copying %s"):format(vim.fs.basename(view.path)))
  vim.uv.fs_copyfile(
    view.path,
    path,
    vim.schedule_wrap(function(failure)
      if failure then
        return fail(path, failure)
      end
      local size = assert(vim.uv.fs_stat(path)).size
      messages.say(("%s written, %s bytes"):format(name_of(path), numbers.grouped(size)))
    end)
  )
end

---@param view forge.View
---@param range forge.Range
---@param doing string
---@param file file*
---@param done fun(failure?: string, count?: integer, note?: string)
local function write_pages(view, range, doing, file, done)
  local is_mixed, encoding = false, nil
  copy.each_page(view, range, doing, function(page)
    is_mixed, encoding = is_mixed or page.meta.eol == "mixed", page.meta.encoding
    local content = page.meta.eol == "crlf" and page.content:gsub("\n", "\r\n") or page.content
    local written, why = file:write(content)
    return not written and why or nil
  end, function(failure, count)
    local closed, close_failure = file:close()
    local note = encoding ~= "utf-8" and " in UTF-8" or ""
    note = note .. (is_mixed and "; line ends were mixed and are \\n now" or "")
    done(failure or (not closed and close_failure or nil), count, note)
  end)
end

---@class forge.WriteOptions
---@field overwrites? boolean
---@field appends? boolean

---@param view forge.View
---@param range forge.Range
---@param path string
---@param options forge.WriteOptions
function M.to_file(view, range, path, options)
  if changes.refuse_old(view) then
    return
  end
  local reason = fault(view, path, options.overwrites or options.appends)
  if reason then
    return messages.fail({ code = "INVALID_ARGUMENT", message = reason })
  elseif is_whole_file(view, range) and not options.appends then
    return copy_all(view, path)
  end
  writes = writes + 1
  local target = options.appends and path or ("%s.forge-part%d"):format(path, writes)
  local file, failure = io.open(target, options.appends and "ab" or "wb")
  if not file then
    return fail(path, failure or "")
  end
  write_pages(view, range, "writing", file, function(why, count, note)
    why = why or (count == 0 and "there are no such lines" or nil)
    if not why and not options.appends then
      local renamed, rename_failure = vim.uv.fs_rename(target, path)
      why = not renamed and rename_failure or nil
    end
    if not why then
      return messages.say(("%s written, %s%s"):format(name_of(path), copy.lines(count), note))
    elseif not options.appends then
      vim.uv.fs_unlink(target)
    end
    fail(path, why)
  end)
end

---`:w !command`
---@param view forge.View
---@param range forge.Range
---@param command string
function M.to_command(view, range, command)
  if changes.refuse_old(view) then
    return
  elseif is_whole_file(view, range) and not view.is_coloured then
    return pipe.run(view, command, view.path)
  end
  local path = vim.fn.tempname()
  local file = assert(io.open(path, "wb"))
  write_pages(view, range, "reading", file, function(failure)
    if failure then
      vim.uv.fs_unlink(path)
      return messages.fail({ code = "INTERNAL", message = ("%s was not run: %s"):format(command, failure) })
    end
    pipe.run(view, command, path, function()
      vim.uv.fs_unlink(path)
    end)
  end)
end

return M
