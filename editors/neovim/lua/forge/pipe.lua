---A shell command that reads a file, as after `:w !`.
local messages = require("forge.messages")
local tasks = require("forge.tasks")

local M = {}

---The most output that is shown, in bytes.
local MAX_OUTPUT = 100 * 1000

---@param parts string[]
---@param code integer
local function show(parts, code)
  local text = table.concat(parts):gsub("\r?\n$", "")
  if code ~= 0 then
    text = ("%s%sshell returned %d"):format(text, text == "" and "" or "\n", code)
  end
  if text == "" then
    return messages.say("the command printed nothing")
  end
  messages.print({ text })
end

---@param view forge.View
---@param command string
---@param path string
---@param ended? fun()
function M.run(view, command, path, ended)
  local input = assert(vim.uv.fs_open(path, "r", 0))
  local arguments = vim.split(vim.o.shell .. " " .. vim.o.shellcmdflag, " ", { trimempty = true })
  local shell = table.remove(arguments, 1)
  table.insert(arguments, command)
  local outputs, parts, bytes, open = { vim.uv.new_pipe(), vim.uv.new_pipe() }, {}, 0, 3
  local task, exit_code = tasks.begin_beside(view, "running a command on"), 0
  local function close()
    open = open - 1
    if open == 0 then -- The process and both of its pipes.
      vim.schedule(function()
        local was_stopped = task.is_done
        task:finish()
        if ended then
          ended()
        end
        if not was_stopped then
          show(parts, exit_code)
        end
      end)
    end
  end
  local process, id
  process, id = vim.uv.spawn(shell, {
    args = arguments,
    stdio = { input, unpack(outputs) },
    detached = true, -- A group of its own, so that all of it can be ended.
  }, function(code)
    exit_code = code
    process:close()
    close()
  end)
  vim.uv.fs_close(input)
  if not process then
    task:finish()
    return messages.fail({ code = "INTERNAL", message = ("%s was not run: %s"):format(command, id) })
  end
  for _, output in ipairs(outputs) do
    output:read_start(function(_, data)
      if not data then
        output:close()
        return close()
      elseif bytes < MAX_OUTPUT then
        bytes = bytes + #data
        table.insert(parts, bytes < MAX_OUTPUT and data or data:sub(1, MAX_OUTPUT - bytes - 1) .. "\n…")
      end
    end)
  end
  task.cancel_request = function()
    vim.uv.kill(-id, "sigterm")
  end
  task:wait()
  task:show()
end

return M
