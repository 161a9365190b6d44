---`:Forge stats`
local daemon = require("forge.daemon")
local messages = require("forge.messages")

local M = {}

local COLUMNS = { "workspace_folder", "entries", "bytes", "hits", "misses", "evictions" }

---@param stats forge.CacheStatsResult
---@return string[][]
local function rows(stats)
  local result = { { "folder", "files", "bytes", "hits", "misses", "evictions" } }
  for _, figures in ipairs(stats.folders) do
    table.insert(
      result,
      vim.tbl_map(function(column)
        return tostring(figures[column])
      end, COLUMNS)
    )
  end
  return result
end

---@param cells string[][]
---@return string[]
local function aligned(cells)
  local widths = {}
  for _, row in ipairs(cells) do
    for index, cell in ipairs(row) do
      widths[index] = math.max(widths[index] or 0, vim.api.nvim_strwidth(cell))
    end
  end
  return vim.tbl_map(function(row)
    local padded = {}
    for index, cell in ipairs(row) do
      local space = (" "):rep(widths[index] - vim.api.nvim_strwidth(cell))
      table.insert(padded, index == 1 and cell .. space or space .. cell)
    end
    return table.concat(padded, "  ")
  end, cells)
end

function M.run()
  require("forge.roots")
  daemon.command("forge.cache.stats", {}, function(error, stats)
    if error then
      return messages.fail(error)
    end
    local about = assert(daemon.about())
    local title = ("forge-read %s, protocol %s"):format(about.version, about.protocol_version)
    messages.print(vim.list_extend({ title }, aligned(rows(stats))))
  end)
end

return M
