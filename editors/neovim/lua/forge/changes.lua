---Telling whether a file is still the one that is shown, and saying what became of it.
local asking = require("forge.asking")
local messages = require("forge.messages")

local M = {}

---Whether the file is the one that is shown, or that one and more.
---@param view forge.View
---@param page forge.ReadFileResult
---@param same fun()
---@param other fun()
---@param failed? fun(error: forge.Error)
function M.compare(view, page, same, other, failed)
  if not view.etag or page.etag == view.etag then
    return same()
  elseif not view.proof then
    return other()
  end
  local proof = { cursor = view.proof.cursor, filter = view.proof.filter, max_lines = 1 }
  asking.fetch(view, proof, same, function(error)
    if error.code == "CONTENT_MODIFIED" then
      other()
    else
      (failed or messages.fail)(error)
    end
  end)
end

---Refuse what needs lines of the file that is shown, where its name means another one by now.
---@param view forge.View
---@return boolean
function M.refuse_old(view)
  if view.is_old then
    local text = "these lines are of a file that is no longer %s; G goes to the new one"
    messages.warn(text:format(vim.fs.basename(view.path)))
  end
  return view.is_old == true
end

---@param view forge.View
---@param page forge.ReadFileResult
function M.say_if_changed(view, page)
  if view.is_old then -- That was said when it was replaced.
    view.total, view.total_of = nil, nil
    return
  end
  M.compare(view, page, function() end, function()
    if view.total_of ~= view.etag then
      view.total = nil
    end
    messages.say(vim.fs.basename(view.path) .. " changed; shown again")
  end)
end

---A file that is gone keeps its window.
---@param view forge.View
---@param error forge.Error
function M.tell_failure(view, error)
  if error.code == "NOT_FOUND" and view.count > 0 then
    if not view.is_gone then
      view.is_gone = true
      local name = vim.fs.basename(view.path)
      messages.warn(("%s no longer exists; the lines shown were read before"):format(name))
    end
  else
    messages.fail(error)
  end
end

return M
