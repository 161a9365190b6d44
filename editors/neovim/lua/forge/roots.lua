---The daemon's workspace folders follow the project roots in use, and its documents the buffers in them.
local config = require("forge.config")
local daemon = require("forge.daemon")
local log = require("forge.log")

local M = {}

---The files that a person looks at in a window.
---@type fun(): string[]
M.opened_by_hand = function()
  return {}
end

local known = {} ---@type table<string, true> the roots the daemon knows of
local found = {} ---@type table<string, string> the root of a directory
local scheduled = false

---@param path string
---@return string? the root of the project it belongs to
function M.of(path)
  local directory = vim.fs.dirname(path)
  found[directory] = found[directory] or vim.fs.root(path, config.get().root_markers)
  return found[directory]
end

---@param buf integer
---@return string? its file, if it is an ordinary one
local function file_of(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  if vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].buftype == "" and name ~= "" and not name:find("^%w+://") then
    return name
  end
end

---What a person opens by hand is opened, whatever project it belongs to: its own directory becomes a root.
---@param roots table<string, true>
---@param path string
local function open_directory(roots, path)
  for root in pairs(roots) do
    if vim.startswith(path, vim.endswith(root, "/") and root or root .. "/") then
      return
    end
  end
  roots[vim.fs.dirname(path)] = true
end

---@param path string
---@return string where it leads
local function settled(path)
  return vim.fs.normalize(vim.uv.fs_realpath(path) or path)
end

---@return string? the root of the project of the current directory
local function current_project()
  return M.of(vim.fs.joinpath(assert(vim.uv.cwd()), "any file"))
end

---@return table<string, true> roots
---@return integer[] buffers in them
local function in_use()
  local roots, buffers = {}, {}
  local here = current_project()
  if here then
    roots[here] = true
  end
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local file = file_of(buf)
    local root = file and M.of(file)
    if root then
      roots[root] = true
      table.insert(buffers, buf)
    end
  end
  for _, path in ipairs(M.opened_by_hand()) do
    open_directory(roots, path)
    open_directory(roots, settled(path)) -- A link may lead elsewhere.
  end
  return roots, buffers
end

---@param root string
---@return lsp.WorkspaceFolder
local function folder(root)
  return { uri = vim.uri_from_fname(root), name = vim.fn.strtrans(vim.fs.basename(root)) }
end

---@param buf integer
---@param in_windows table<string, true> files that are shown in windows
---@return boolean whether the daemon is told of every change in it
local function is_shared(buf, in_windows)
  if not vim.bo[buf].modified and in_windows[settled(vim.api.nvim_buf_get_name(buf))] then
    return false -- A log grows while the buffer has its old text: the window shows what is on disk.
  end
  local limit = config.get().large_file
  local size = vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf))
  return not limit or size <= limit
end

---Tell the daemon what changed.
function M.sync()
  local client = daemon.ready()
  if not client then
    return
  end
  local roots, buffers = in_use()
  local added, removed = {}, {}
  for root in vim.spairs(roots) do
    if not known[root] then
      table.insert(added, folder(root))
    end
  end
  for root in vim.spairs(known) do
    if not roots[root] then
      table.insert(removed, folder(root))
    end
  end
  known = roots
  if #added + #removed > 0 then
    log.add("folders: " .. table.concat(vim.fn.sort(vim.tbl_keys(roots)), ", "))
    client.workspace_folders = vim.tbl_map(folder, vim.tbl_keys(roots))
    daemon.notify("workspace/didChangeWorkspaceFolders", { event = { added = added, removed = removed } })
  end
  local in_windows = {}
  for _, path in ipairs(M.opened_by_hand()) do
    in_windows[settled(path)] = true
  end
  for _, buf in ipairs(buffers) do
    local is_attached, is_wanted = vim.lsp.buf_is_attached(buf, client.id), is_shared(buf, in_windows)
    if is_wanted and not is_attached then
      vim.lsp.buf_attach_client(buf, client.id)
    elseif is_attached and not is_wanted then
      vim.lsp.buf_detach_client(buf, client.id)
    end
  end
end

---@return string[] roots that exist: that of the current directory comes first
function M.all()
  local here, roots = current_project(), vim.tbl_keys((in_use()))
  table.sort(roots, function(one, other)
    return other ~= here and (one == here or one < other)
  end)
  return vim.tbl_filter(vim.uv.fs_stat, roots)
end

local function sync_soon()
  if not scheduled then
    scheduled = true
    vim.schedule(function()
      scheduled = false
      M.sync()
    end)
  end
end

table.insert(daemon.on_ready, function()
  known, found = {}, {}
  M.sync()
end)

vim.api.nvim_create_autocmd({
  "BufReadPost",
  "BufNewFile",
  "BufFilePost",
  "BufDelete",
  "BufWipeout",
  "BufWinEnter",
  "BufWinLeave",
  "BufModifiedSet",
  "DirChanged",
}, { group = vim.api.nvim_create_augroup("forge_roots", {}), callback = sync_soon })

return M
