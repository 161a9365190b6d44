-- For `vim.lsp.enable("forge")`. No root here: the folders follow the project roots in use.
return {
  cmd = function(dispatchers)
    return require("forge.daemon").spawn(dispatchers)
  end,
}
