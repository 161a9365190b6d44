---`:checkhealth forge`
local config = require("forge.config")

local M = {}

local function check_neovim()
  local version = tostring(vim.version())
  if vim.fn.has("nvim-0.10") == 1 then
    vim.health.ok("Neovim " .. version)
  else
    vim.health.error("Neovim " .. version .. " is too old", "0.10 or later is needed")
  end
end

local function check_config()
  local problems = config.problems()
  for _, problem in ipairs(problems) do
    vim.health.error(problem, ":help forge-configuration")
  end
  if #problems == 0 then
    vim.health.ok("the configuration is valid")
  end
  for name, value in vim.spairs(config.get()) do
    vim.health.info(("%s = %s"):format(name, vim.inspect(value, { newline = " ", indent = "" })))
  end
end

---@return boolean
local function check_command()
  if #config.faults() > 0 then
    vim.health.error("the daemon is not started with a faulty configuration", ":help forge-configuration")
    return false
  end
  local command = config.get().cmd[1]
  local path = vim.fn.exepath(command)
  if path == "" then
    vim.health.error(command .. " was not found", {
      "in a clone of the repository: make install (or pipx install ., or uv tool install .)",
      "or set cmd: :help forge-configuration",
    })
    return false
  end
  vim.health.ok("found " .. path)
  return true
end

local function check_daemon()
  require("forge.roots")
  local daemon, protocol = require("forge.daemon"), require("forge.protocol")
  local done, failure, began, took = false, nil, nil, nil
  local function ask(answered)
    began = vim.uv.hrtime()
    daemon.command(protocol.commands.cache_stats, {}, answered)
  end
  -- The first answer includes the start; the second is a round trip.
  ask(function(error)
    if error then
      done, failure = true, error
      return
    end
    ask(function(second_error)
      done, failure, took = true, second_error, (vim.uv.hrtime() - began) / 1e6
    end)
  end)
  vim.wait(30000, function()
    return done
  end, 1)
  local about = daemon.about()
  if failure or not done or not about then
    vim.health.error(failure and failure.message or "the daemon does not answer", ":Forge log says more")
    return
  end
  vim.health.ok("the daemon is forge-read " .. about.version)
  local ours, its = protocol.protocol_version, about.protocol_version
  if vim.split(ours, ".", { plain = true })[1] == vim.split(its, ".", { plain = true })[1] then
    vim.health.ok(("it speaks protocol %s, this plugin %s"):format(its, ours))
  else
    vim.health.error(("it speaks protocol %s, this plugin %s"):format(its, ours), "update the older of the two")
  end
  vim.health.ok(("a round trip takes %.1f ms"):format(took))
  for warning in vim.spairs(daemon.warnings) do
    vim.health.warn(warning)
  end
  local folders = vim.tbl_map(function(folder)
    return vim.uri_to_fname(folder.uri)
  end, assert(daemon.ready()).workspace_folders or {})
  table.sort(folders)
  vim.health.info("workspace folders: " .. (#folders > 0 and table.concat(folders, ", ") or "none"))
end

function M.check()
  vim.health.start("forge: Neovim")
  check_neovim()
  vim.health.start("forge: configuration")
  check_config()
  vim.health.start("forge: daemon")
  if check_command() then
    check_daemon()
  end
end

return M
