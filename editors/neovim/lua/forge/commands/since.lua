---`:Forge since [time]`, `:Forge since!`
return require("forge.commands.limit").command("since", "from_here")
