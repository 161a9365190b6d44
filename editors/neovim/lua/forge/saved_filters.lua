---Filters kept by name: one's own, and those of a project, which its people share.
local messages = require("forge.messages")
local roots = require("forge.roots")

local M = {}

---Where the filters of a project are, from its root on.
local SHARED = ".forge/filters.json"

---@return string
local function own_file()
  return vim.fs.joinpath(vim.fn.stdpath("state") --[[@as string]], "forge-filters.json")
end

---@param path? string a file of the project
---@return string?
local function shared_file(path)
  local root = path and roots.of(path)
  return root and vim.fs.joinpath(root, SHARED)
end

---@param file? string
---@return table<string, forge.FilterParams> by name
local function read(file)
  local is_read, lines = pcall(vim.fn.readfile, file or "")
  local is_decoded, found =
    pcall(vim.json.decode, is_read and table.concat(lines, "\n") or "{}", { luanil = { object = true } })
  return is_decoded and type(found) == "table" and found or {}
end

---@param path? string a file of the project
---@return table<string, forge.FilterParams> by name
function M.all(path)
  return vim.tbl_extend("force", read(shared_file(path)), read(own_file()))
end

---@param path? string a file of the project
---@param name string
---@return forge.FilterParams? filter nil where there is none of that name, which is said
function M.named(path, name)
  local saved = M.all(path)
  if not saved[name] then
    local known = vim.fn.sort(vim.tbl_keys(saved))
    local hint = #known > 0 and "there are " .. table.concat(known, ", ") or ":Forge save {name} saves one"
    messages.fail({ code = "INVALID_ARGUMENT", message = "there is no filter called " .. name, hint = hint })
  end
  return saved[name]
end

---@param file string
---@param name string
---@param filter? forge.FilterParams
local function write(file, name, filter)
  local saved = read(file)
  saved[name] = filter
  vim.fn.mkdir(vim.fs.dirname(file), "p")
  vim.fn.writefile({ vim.json.encode(next(saved) and saved or vim.empty_dict()) }, file)
end

---@param name string
---@param filter? forge.FilterParams Absent: forget the one of that name.
function M.save(name, filter)
  write(own_file(), name, filter)
end

---@param path string a file of the project
---@param name string
---@param filter? forge.FilterParams Absent: forget the one of that name.
---@return string? file nil where there is no project, which is said
function M.share(path, name, filter)
  local file = shared_file(path)
  if not file then
    return messages.fail({
      code = "NOT_FOUND",
      message = vim.fs.basename(path) .. " belongs to no project",
      hint = ":help forge-roots",
    })
  end
  write(file, name, filter)
  return file
end

return M
