std = "luajit"
read_globals = { "vim" }
globals = { "vim.b", "vim.bo", "vim.wo", "vim.v", "vim.g", "vim.go" }
max_line_length = 120
exclude_files = { "**/protocol.lua" } -- generated
