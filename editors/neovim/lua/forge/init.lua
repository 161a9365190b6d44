---What other plugins may use. Types are in `forge.protocol`, generated from the protocol.
local config = require("forge.config")
local protocol = require("forge.protocol")

local M = {}

---How long the synchronous forms wait, unless told otherwise.
local PATIENCE_MS = 10000

---@param options? forge.Options
function M.setup(options)
  config.setup(options)
end

---@alias forge.Callback<T> fun(error?: forge.Error, result?: T)
---@alias forge.Cancel fun()

---@return table
local function daemon()
  require("forge.roots").sync() -- Folders and documents, a moment ago's changes included.
  return require("forge.daemon")
end

---@param start fun(callback: forge.Callback<any>): forge.Cancel
---@param timeout_ms? integer
---@return any result
---@return forge.Error? error
local function synchronously(start, timeout_ms)
  local done, error, result = false, nil, nil
  local cancel = start(function(...)
    done, error, result = true, ...
  end)
  if not vim.wait(timeout_ms or PATIENCE_MS, function()
    return done
  end, 1) then
    cancel()
    return nil, { code = "CANCELLED", message = "the daemon took too long", retriable = true }
  end
  return result, error
end

---A window of a file. The path is relative to a workspace folder, or absolute inside one.
---@param path string
---@param options? forge.ReadFileParams `path` left out
---@param callback forge.Callback<forge.ReadFileResult>
---@return forge.Cancel
function M.read(path, options, callback)
  local params = vim.tbl_extend("force", options or {}, { path = path })
  return daemon().request(protocol.requests.read_file, params, callback)
end

---@param path string
---@param options? forge.ReadFileParams `path` left out
---@param timeout_ms? integer
---@return forge.ReadFileResult? result
---@return forge.Error? error
function M.read_sync(path, options, timeout_ms)
  return synchronously(function(callback)
    return M.read(path, options, callback)
  end, timeout_ms)
end

---Many windows in one round trip, in order; each has a `result` or an `error`.
---@param files forge.ReadFileParams[]
---@param callback forge.Callback<forge.ReadFilesItem[]>
---@return forge.Cancel
function M.read_many(files, callback)
  return daemon().request(protocol.requests.read_files, { files = files }, function(error, answer)
    callback(error, answer and answer.results)
  end)
end

---@param files forge.ReadFileParams[]
---@param timeout_ms? integer
---@return forge.ReadFilesItem[]? results
---@return forge.Error? error
function M.read_many_sync(files, timeout_ms)
  return synchronously(function(callback)
    return M.read_many(files, callback)
  end, timeout_ms)
end

---The next match in a file, or the previous one.
---@param path string
---@param pattern string
---@param options? forge.FindParams `path` and `pattern` left out
---@param callback forge.Callback<forge.FindResult>
---@return forge.Cancel
function M.find(path, pattern, options, callback)
  local params = vim.tbl_extend("force", options or {}, { path = path, pattern = pattern })
  return daemon().request(protocol.requests.find, params, callback)
end

---The exact number of lines of a file; with a `filter`, of those that match.
---@param path string
---@param options? forge.CountLinesParams `path` left out
---@param callback forge.Callback<forge.CountLinesResult>
---@return forge.Cancel
---@overload fun(path: string, callback: forge.Callback<forge.CountLinesResult>): forge.Cancel
function M.count_lines(path, options, callback)
  if type(options) == "function" then
    options, callback = nil, options
  end
  local params = vim.tbl_extend("force", options or {}, { path = path })
  return daemon().request(protocol.requests.count_lines, params, callback)
end

---The first line of a log at or after a time.
---@param path string
---@param time string
---@param options? forge.FindTimeParams `path` and `time` left out
---@param callback forge.Callback<forge.FindTimeResult>
---@return forge.Cancel
function M.find_time(path, time, options, callback)
  local params = vim.tbl_extend("force", options or {}, { path = path, time = time })
  return daemon().request(protocol.requests.find_time, params, callback)
end

---The records that lines of a log belong to.
---@param path string
---@param lines integer[]
---@param options? forge.RecordsParams `path` and `lines` left out
---@param callback forge.Callback<forge.LineRecord[]>
---@return forge.Cancel
function M.records(path, lines, options, callback)
  local params = vim.tbl_extend("force", options or {}, { path = path, lines = lines })
  return daemon().request(protocol.requests.records, params, function(error, answer)
    callback(error, answer and answer.records)
  end)
end

---What a log has in it.
---@param path string
---@param options? forge.DescribeParams `path` left out
---@param callback forge.Callback<forge.DescribeResult>
---@return forge.Cancel
function M.describe(path, options, callback)
  local params = vim.tbl_extend("force", options or {}, { path = path })
  return daemon().request(protocol.requests.describe, params, callback)
end

---What is appended to a file, as it comes, and what becomes of it. It is the name that is followed.
---@param path string
---@param options? forge.FollowParams `path` left out
---@param on_event forge.OnEvent Called with an error, which ends it, or an event; `started` is the first one.
---@return {stop: fun()}
function M.follow(path, options, on_event)
  daemon()
  return require("forge.following").follow(path, options, on_event)
end

---Call a tool, as an agent would.
---@param name string
---@param arguments table<string, any>
---@param callback forge.Callback<any>
---@param toolset? "forge"|"workspace"|"agent"
---@return forge.Cancel
function M.tool(name, arguments, callback, toolset)
  arguments = next(arguments) == nil and vim.empty_dict() or arguments
  local call = { name = name, arguments = arguments, toolset = toolset }
  return daemon().command(protocol.commands.tools_call, call, callback)
end

---@param name string
---@param arguments table<string, any>
---@param timeout_ms? integer
---@param toolset? "forge"|"workspace"|"agent"
---@return any output
---@return forge.Error? error
function M.tool_sync(name, arguments, timeout_ms, toolset)
  return synchronously(function(callback)
    return M.tool(name, arguments, callback, toolset)
  end, timeout_ms)
end

---The definitions of the tools, for a model.
---@param callback forge.Callback<forge.ToolDefinition[]>
---@param toolset? "forge"|"workspace"|"agent"
---@return forge.Cancel
function M.tools(callback, toolset)
  return daemon().command(protocol.commands.tools_list, { toolset = toolset }, function(error, answer)
    callback(error, answer and answer.tools)
  end)
end

---For a statusline: `1,204,113 / 13,400,000` in a window, empty elsewhere.
---@return string
function M.statusline()
  return package.loaded["forge.view"] and require("forge.numbers").statusline() or ""
end

return M
