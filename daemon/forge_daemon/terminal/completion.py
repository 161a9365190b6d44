"""`forge-read completion`: a script that teaches a shell the sub-commands and their options."""

import re
from argparse import Namespace

from .output import Output

SHELLS = ("bash", "zsh", "fish")

_BASH = """\
_forge_read() {{
    local words="" current="${{COMP_WORDS[COMP_CWORD]}}"
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    elif [[ "$current" == -* ]]; then
        case "${{COMP_WORDS[1]}}" in
{cases}
        esac
    fi
    COMPREPLY=( $(compgen -W "$words" -- "$current") )
}}
complete -o default -F _forge_read forge-read
"""
_ZSH = "autoload -U +X bashcompinit && bashcompinit\n"


def completion(options: Namespace) -> int:
    # What a parser tells of itself cannot get out of step with what it takes.
    words = {name: re.findall(r"--[a-z-]+", parser.format_usage()) for name, parser in options.commands.items()}
    output = Output()
    output.write({"bash": _bash, "zsh": _zsh, "fish": _fish}[options.shell](words))
    output.close()
    return 0


def _bash(words: dict[str, list[str]]) -> str:
    cases = (f'            {name}) words="{" ".join(flags)}" ;;' for name, flags in words.items())
    return _BASH.format(commands=" ".join(words), cases="\n".join(cases))


def _zsh(words: dict[str, list[str]]) -> str:
    return _ZSH + _bash(words)


def _fish(words: dict[str, list[str]]) -> str:
    lines = [f'complete -c forge-read -f -n __fish_use_subcommand -a "{" ".join(words)}"']
    for name, flags in words.items():
        lines += [
            f'complete -c forge-read -n "__fish_seen_subcommand_from {name}" -l {flag.removeprefix("--")}'
            for flag in flags
        ]
    return "\n".join(lines) + "\n"
