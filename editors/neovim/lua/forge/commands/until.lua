---`:Forge until [time]`, `:Forge until!`
return require("forge.commands.limit").command("until", "until_here")
