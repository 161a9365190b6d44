---Filters as they are typed, changed, and shown. They are the daemon's own, which does all of the work.
local patterns = require("forge.patterns")

local M = {}

M.LEVELS = { "trace", "debug", "info", "notice", "warning", "error", "critical" }
---The most lines around one that matches.
M.MAX_CONTEXT = 20

---What a filter says beside its terms.
local OTHERS = { "level", "since", "until", "records", "headers", "before", "after" }

---@param typed string a literal, or a regular expression between slashes
---@param inverts boolean
---@return forge.FilterParams
function M.parse(typed, inverts)
  local pattern = patterns.parse(typed)
  return { pattern = pattern.text, regex = pattern.regex, ignore_case = pattern.ignore_case, invert = inverts }
end

---@param filter forge.FilterParams
---@return {any: forge.TermParams[], all: forge.TermParams[], none: forge.TermParams[]}
local function terms_of(filter)
  if not filter.pattern then
    return { any = filter.any or {}, all = filter.all or {}, none = filter.none or {} }
  end
  local term = {
    pattern = filter.pattern,
    regex = filter.regex,
    ignore_case = filter.ignore_case,
    whole_word = filter.whole_word,
  }
  return { any = {}, all = filter.invert and {} or { term }, none = filter.invert and { term } or {} }
end

---@param terms {any: forge.TermParams[], all: forge.TermParams[], none: forge.TermParams[]}
---@param filter forge.FilterParams what it says beside its terms
---@param more forge.FilterParams the same, which wins
---@return forge.FilterParams
local function assembled(terms, filter, more)
  local result = {}
  for _, field in ipairs(OTHERS) do
    result[field] = more[field] or filter[field]
  end
  for name, list in pairs(terms) do
    result[name] = #list > 0 and list or nil
  end
  return result
end

---@param filter? forge.FilterParams
---@param more forge.FilterParams
---@return forge.FilterParams? the lines that pass both; nil where one filter cannot say that
function M.both(filter, more)
  if not filter then
    return more
  end
  local terms, more_terms = terms_of(filter), terms_of(more)
  if #terms.any > 0 and #more_terms.any > 0 then
    return
  end
  for name, list in pairs(more_terms) do
    terms[name] = vim.list_extend(vim.list_slice(terms[name]), list)
  end
  return assembled(terms, filter, more)
end

---@param filter? forge.FilterParams
---@param more forge.FilterParams
---@return forge.FilterParams? the lines that match either; nil where one filter cannot say that
function M.either(filter, more)
  if not filter then
    return more
  end
  local terms, more_terms = terms_of(filter), terms_of(more)
  local first = #terms.any > 0 and terms.any or terms.all
  local second = #more_terms.any > 0 and more_terms.any or more_terms.all
  local has_several = #terms.all > 1 or #more_terms.all > 1 or #terms.any > 0 and #terms.all > 0
  if has_several or #first == 0 or #second == 0 or #more_terms.none > 0 then
    return
  end
  return assembled({ any = vim.list_extend(vim.list_slice(first), second), none = terms.none }, filter, more)
end

---@param filter? forge.FilterParams
---@param changes table<string, any> false: without that
---@return forge.FilterParams? nil: all lines pass
function M.with(filter, changes)
  local result = vim.deepcopy(filter or {})
  for field, value in pairs(changes) do
    result[field] = value or nil
  end
  local terms = terms_of(result)
  local selects = #terms.any + #terms.all + #terms.none > 0
  return (selects or result.level or result.since or result["until"] or result.headers) and result or nil
end

---@param filter? forge.FilterParams
---@return forge.FilterParams of what passes, the first lines of records
function M.headers_of(filter)
  return assert(M.with(filter, { headers = true, before = false, after = false }))
end

---@param filter forge.FilterParams
---@return boolean whether each line passes because it matches
function M.matches_lines(filter)
  local terms = terms_of(filter)
  return not M.looks_around(filter) and #terms.any + #terms.all + #terms.none > 0
end

---@param filter? forge.FilterParams
---@return forge.FilterParams what passes of records with errors: their first lines, or the lines that match
function M.errors_of(filter)
  local level = filter and filter.level == "critical" and "critical" or "error"
  local headers = not (filter and M.matches_lines(filter))
  return assert(M.with(filter, { level = level, headers = headers, before = false, after = false }))
end

---@param filter forge.FilterParams
---@return boolean whether lines around one decide whether it passes, or are shown with it
function M.looks_around(filter)
  return filter.records or (filter.before or 0) > 0 or (filter.after or 0) > 0
end

---@param list forge.TermParams[]
---@param word string
---@return string
local function joined(list, word)
  return table.concat(
    vim.tbl_map(function(term)
      return term.pattern
    end, list),
    word
  )
end

---@param seconds? integer
---@return string the zone that one is in, at a time or now, as in `+01:00`
function M.own_zone(seconds)
  return (
    (os.date("%z", seconds) --[[@as string]]):gsub("(%d%d)$", ":%1")
  )
end

---@param time string
---@return string as in `2026-11-16 14:05:31`; a zone is shown unless it is the one that one is in
function M.shown_time(time)
  return (time:gsub("T", " "):gsub(vim.pesc(M.own_zone()) .. "$", ""))
end

---@param filter forge.FilterParams
---@return string as in `only timed out, not retried, error and above, from 14:05`
function M.describe(filter)
  local terms, parts = terms_of(filter), {}
  local function add(text, value)
    if value and value ~= "" then
      table.insert(parts, text:format(value))
    end
  end
  add("only %s", joined(terms.all, " and "))
  add("only %s", joined(terms.any, " or "))
  add("not %s", joined(terms.none, " or "))
  add(filter.level == "critical" and "%s" or "%s and above", filter.level)
  add("from %s", filter.since and M.shown_time(filter.since))
  add("before %s", filter["until"] and M.shown_time(filter["until"]))
  add("whole records", filter.records)
  add("first lines of records", filter.headers)
  if filter.before or filter.after then
    local lines = math.max(filter.before or 0, filter.after or 0)
    add(lines == 1 and "%d line around" or "%d lines around", lines)
  end
  return table.concat(parts, ", ")
end

return M
