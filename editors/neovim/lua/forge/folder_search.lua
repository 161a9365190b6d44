---The lines that match in all files of the workspace folders, in the quickfix list.
local colours = require("forge.colours")
local config = require("forge.config")
local grep = require("forge.grep")
local large_file = require("forge.large_file")
local messages = require("forge.messages")
local numbers = require("forge.numbers")
local patterns = require("forge.patterns")
local roots = require("forge.roots")
local tasks = require("forge.tasks")

local M = {}

---Why a file was not searched. What `.gitignore` names is left out on purpose.
local REASONS = { "binary", "denied", "too_large", "unreadable" }

---@class forge.FoundLines
---@field entries vim.quickfix.entry[]
---@field files table<string, {root: string, path: string}> by where they lead
---@field searched integer
---@field skipped table<string, integer>
---@field has_more boolean

local newest ---@type forge.Task?

---@param count integer
---@param noun string
---@return string
local function counted(count, noun)
  return ("%s %s%s"):format(numbers.grouped(count), noun, count == 1 and "" or "s")
end

---@param match forge.FindMatch
---@return integer in bytes, from 1
local function byte_column(match)
  local before = vim.fn.byteidxcomp(match.content:gsub("%z", " "), match.start_column - 1)
  return before < 0 and match.start_column or before + 1 -- Of a very long line, only a part comes.
end

---@param found forge.FoundLines changed
---@param root string
---@param page forge.FindFilesResult
local function add(found, root, page)
  found.searched = found.searched + page.searched_files
  for _, reason in ipairs(REASONS) do
    found.skipped[reason] = (found.skipped[reason] or 0) + page.skipped[reason]
  end
  for _, file in ipairs(page.files) do
    local path = vim.fs.joinpath(root, file.path)
    local target = vim.uv.fs_realpath(path) or path
    local known = found.files[target] or { root = root, path = path }
    local matches = known.root == root and file.matches or {} -- One folder may be in another.
    for _, match in ipairs(matches) do
      if #found.entries == grep.MAX_ENTRIES then
        found.has_more = true
        return
      end
      found.files[target] = known
      table.insert(found.entries, grep.entry(path, match.line, byte_column(match), colours.strip(match.content)))
    end
  end
end

---@param found forge.FoundLines
---@return string
local function about_skipped(found)
  local parts = {}
  for _, reason in ipairs(REASONS) do
    local count = found.skipped[reason] or 0
    if count > 0 then
      table.insert(parts, ("%s %s"):format(numbers.grouped(count), (reason:gsub("_", " "))))
    end
  end
  return #parts > 0 and "; skipped " .. table.concat(parts, ", ") or ""
end

---@param typed string
---@param found forge.FoundLines
local function show(typed, found)
  local count, skipped = #found.entries, about_skipped(found)
  if count == 0 then
    return messages.warn(("%s was not found in %s%s"):format(typed, counted(found.searched, "file"), skipped))
  end
  for _, file in pairs(found.files) do
    large_file.prefer_window_if_large(file.path)
  end
  local first = found.has_more and "first " or ""
  local title = (":Forge search %s (%s%s)"):format(typed, first, numbers.grouped(count))
  local how_to_see = grep.show_list(title, found.entries) and "" or " (:copen)"
  local files = counted(vim.tbl_count(found.files), "file")
  messages.say(("%s%s in %s%s%s"):format(first, counted(count, "line"), files, how_to_see, skipped))
end

---Put the lines that match into the quickfix list, and say how many there are, and what was not searched.
---@param typed string
function M.list(typed)
  roots.sync()
  local folders = roots.all()
  if #folders == 0 then
    local hint = ("the root of one holds one of %s"):format(table.concat(config.get().root_markers, ", "))
    return messages.fail({ code = "SANDBOX_VIOLATION", message = "no project is open", hint = hint })
  elseif newest then
    newest:stop()
  end
  local pattern = patterns.parse(typed)
  local found = { entries = {}, files = {}, searched = 0, skipped = {}, has_more = false } ---@type forge.FoundLines
  local task = tasks.begin_alone("searching")
  newest = task
  function task:report()
    self:show() -- How much there is to search is not known.
  end
  local function ask(index, cursor)
    local so_far = found.searched > 0 and (", %s so far"):format(counted(found.searched, "file")) or ""
    local name = vim.fs.basename(folders[index])
    task.doing = ("searching %s%s"):format(name, so_far)
    local wanted = grep.MAX_ENTRIES + 1 - #found.entries
    local params = {
      pattern = pattern.text,
      regex = pattern.regex,
      ignore_case = pattern.ignore_case,
      workspace_folder = vim.uri_from_fname(folders[index]), -- Names need not be unique.
      max_matches = wanted,
      max_matches_per_file = wanted,
      cursor = cursor,
    }
    task:ask("forge/findFiles", params, function(page)
      add(found, folders[index], page)
      local next_index = page.next_cursor and index or index + 1
      if folders[next_index] and not found.has_more then
        return ask(next_index, page.next_cursor)
      end
      task:finish()
      show(typed, found)
    end, function(error)
      local message = error.message:gsub("^%.: ", function()
        return name .. ": " -- There may be several.
      end)
      messages.fail(vim.tbl_extend("force", error, { message = message }))
    end)
  end
  ask(1)
  task:wait()
end

return M
