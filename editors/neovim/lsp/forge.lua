-- For `vim.lsp.enable("forge")`. No root here: the folders follow the project roots in use.
return {
  cmd = (vim.g.forge or {}).cmd or { "forge-read", "serve" },
}
