-- For `vim.lsp.enable("forge")`. No root here: the folders follow the project roots in use.
return {
  cmd = function(dispatchers)
    return require("forge.client").spawn(dispatchers)
  end,
}
