---The LSP client that the daemon is to Neovim: its process, its configuration, and how it ended.
local config = require("forge.config")

local M = {}

M.NAME = "forge"

---How the last daemon ended.
M.exit = { code = 0, signal = 0 }
---Whether the last process was no daemon.
M.is_foreign = false

---Neovim 0.10 has plain functions where later versions have methods.
---@param client vim.lsp.Client
function M.call(client, method, ...)
  if vim.fn.has("nvim-0.11") == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

---Some versions of Neovim leave JSON's null in an answer, as something that is true.
---@generic T
---@param value T
---@return T?
function M.without_null(value)
  if value == vim.NIL then
    return nil
  elseif type(value) == "table" then
    for key, item in pairs(value) do
      value[key] = M.without_null(item)
    end
  end
  return value
end

---@param id? integer
---@return vim.lsp.Client?
function M.living(id)
  local client = id and vim.lsp.get_client_by_id(id)
  if client and not M.call(client, "is_stopped") then
    return client
  end
end

---@return vim.lsp.Client? one that `vim.lsp.enable("forge")` started
function M.enabled()
  local client = vim.lsp.get_clients({ name = M.NAME })[1]
  return client and M.living(client.id)
end

---Start the process. Neovim would answer a crash with a message of two lines, and a person with Enter; so it is not
---told how the daemon ended.
---@param dispatchers vim.lsp.rpc.Dispatchers
---@return vim.lsp.rpc.PublicClient
function M.spawn(dispatchers)
  local on_process_exit = dispatchers.on_exit
  local quiet = vim.tbl_extend("force", dispatchers, {
    on_exit = function(code, signal)
      M.exit = { code = code, signal = signal }
      on_process_exit(0, 0)
    end,
  })
  local server = vim.lsp.rpc.start(config.get().cmd, quiet)
  local request = server.request
  ---Neovim raises an error where the first answer is none, as from a command that is no daemon.
  server.request = function(method, params, callback, ...)
    return request(method, params, function(error, result)
      if method == "initialize" and (error or type(result) ~= "table" or type(result.capabilities) ~= "table") then
        M.is_foreign = true
        return server.terminate()
      end
      callback(error, result)
    end, ...)
  end
  return server
end

---@param handlers table<string, lsp.Handler>
---@param on_init fun(id: integer)
---@param on_exit fun(id: integer)
---@return vim.lsp.ClientConfig
local function configuration(handlers, on_init, on_exit)
  local settings = config.daemon_settings()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  -- No answer depends on being told of changes, and watching every file of a project is dear.
  capabilities.workspace.didChangeWatchedFiles = nil
  return {
    name = M.NAME,
    cmd = M.spawn,
    capabilities = capabilities,
    init_options = next(settings) and settings or nil,
    settings = { forge = settings },
    flags = { debounce_text_changes = 0 },
    handlers = handlers,
    on_init = vim.schedule_wrap(function(client)
      on_init(client.id)
    end),
    on_exit = vim.schedule_wrap(function(_, _, id)
      on_exit(id)
    end),
  }
end

---@param handlers table<string, lsp.Handler>
---@param on_init fun(id: integer)
---@param on_exit fun(id: integer)
---@return integer? id
---@return string? failure
function M.start(handlers, on_init, on_exit)
  M.is_foreign = false
  local start_config = configuration(handlers, on_init, on_exit)
  local started, id = pcall(function()
    if vim.fn.has("nvim-0.11") == 1 then
      return vim.lsp.start(start_config, { attach = false, silent = true })
    end
    return vim.lsp.start_client(start_config)
  end)
  if started and M.living(id) then
    return id
  end
  return nil, tostring(id)
end

return M
