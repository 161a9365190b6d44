---Replays the golden conversations through the plugin's own client. The format is in tests/protocol/golden/README.md.
local M = {}

---@param value any
---@return any with JSON's null as nil
local function plain(value)
  if value == vim.NIL then
    return nil
  end
  return value
end

---Each `$from` replaced by what an earlier result holds there.
local function resolve(value, results)
  if type(value) ~= "table" then
    return value
  end
  if value["$from"] then
    local path = value["$from"]
    local found = results[path[1] + 1]
    for index = 2, #path do
      local key = path[index]
      found = found[type(key) == "number" and key + 1 or key]
    end
    return found
  end
  local resolved = setmetatable({}, getmetatable(value))
  for key, item in pairs(value) do
    resolved[key] = resolve(item, results)
  end
  return resolved
end

local function differences(expected, actual, place, found)
  expected, actual = plain(expected), plain(actual)
  local any = type(expected) == "table" and expected["$any"]
  if any then
    local optional = any:sub(-1) == "?"
    local kind = any:gsub("%?$", "") == "integer" and "number" or "string"
    if type(actual) ~= kind and not (optional and actual == nil) then
      table.insert(found, ("%s: expected any %s, got %s"):format(place, any, vim.inspect(actual)))
    end
  elseif type(expected) == "table" and type(actual) == "table" then
    for key in pairs(vim.tbl_extend("keep", {}, expected, actual)) do
      differences(expected[key], actual[key], ("%s.%s"):format(place, key), found)
    end
  elseif expected ~= actual then
    table.insert(found, ("%s: expected %s, got %s"):format(place, vim.inspect(expected), vim.inspect(actual)))
  end
  return found
end

---@param client vim.lsp.Client
local function ask(client, method, params)
  local answer
  local request = vim.fn.has("nvim-0.11") == 1 and function(...)
    return client:request(...)
  end or client.request
  request(method, params, function(error, result)
    answer = { error = error, result = result }
  end)
  assert(
    vim.wait(20000, function()
      return answer ~= nil
    end, 1),
    method .. " was not answered"
  )
  return answer
end

---@param root string a folder with the conversation's files
---@param file string the conversation
---@return string[] differences
function M.replay(root, file)
  local daemon = require("forge.daemon")
  local conversation = vim.json.decode(table.concat(vim.fn.readfile(file), "\n"))
  daemon.start()
  assert(vim.wait(20000, function()
    return daemon.ready() ~= nil
  end, 1))
  local folder = { uri = vim.uri_from_fname(root), name = "workspace" }
  local function change_folders(added, removed)
    daemon.notify("workspace/didChangeWorkspaceFolders", { event = { added = added, removed = removed } })
  end
  change_folders({ folder }, {})
  for _, document in ipairs(conversation.open_documents) do
    local uri = vim.uri_from_fname(root .. "/" .. document.path)
    local item = { uri = uri, languageId = "text", version = document.version, text = document.text }
    daemon.notify("textDocument/didOpen", { textDocument = item })
  end
  local found, results = {}, {}
  for index, step in ipairs(conversation.exchange) do
    local answer = ask(daemon.ready(), step.method, resolve(step.params, results))
    results[index] = answer.result or {}
    differences(resolve({ result = step.result, error = step.error }, results), answer, "answer " .. index, found)
  end
  for _, document in ipairs(conversation.open_documents) do
    local uri = vim.uri_from_fname(root .. "/" .. document.path)
    daemon.notify("textDocument/didClose", { textDocument = { uri = uri } })
  end
  change_folders({}, { folder })
  return found
end

return M
