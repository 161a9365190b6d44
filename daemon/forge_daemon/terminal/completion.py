"""`forge-read completion`: a script that makes a shell complete commands, options and their values."""

from collections.abc import Callable, Iterator, Sequence

from .arguments import Command
from .output import Output

_BASH = """\
_forge_read() {{
    local words="" current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    else
        case "${{COMP_WORDS[1]}} $previous $current" in
{cases}
        esac
    fi
    COMPREPLY=( $(compgen -W "$words" -- "$current") )
}}
complete -o default -F _forge_read forge-read
"""
_ZSH = """\
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
autoload -Uz bashcompinit && bashcompinit
"""


def completion(shell: str, commands: Sequence[Command]) -> int:
    output = Output()
    output.write(_SCRIPTS[shell](commands))
    output.close()
    return 0


def _bash(commands: Sequence[Command]) -> str:
    cases = (f'            {pattern}) words="{" ".join(words)}" ;;' for pattern, words in _cases(commands))
    return _BASH.format(commands=" ".join(command.name for command in commands), cases="\n".join(cases))


def _cases(commands: Sequence[Command]) -> Iterator[tuple[str, Sequence[str]]]:
    """For each case a pattern (command, previous word, current word) and the words to offer."""
    for command in commands:
        for option in command.all_options():
            if option.takes_value:
                yield from ((f"'{command.name} {spelling} '*", option.choices) for spelling in option.spellings)
        yield f"'{command.name} '*' -'*", [word for option in command.all_options() for word in option.spellings]
        for argument in command.arguments:
            if argument.choices:
                yield f"'{command.name} '*", argument.choices


def _zsh(commands: Sequence[Command]) -> str:
    return _ZSH + _bash(commands)


def _fish(commands: Sequence[Command]) -> str:
    return "".join(f"complete -c forge-read {line}\n" for line in _fish_lines(commands))


def _fish_lines(commands: Sequence[Command]) -> Iterator[str]:
    for command in commands:
        yield f"-n __fish_use_subcommand -f -a {command.name} -d {_quoted(command.summary)}"
        seen = f'-n "__fish_seen_subcommand_from {command.name}"'
        for option in command.all_options():
            short = f" -s {option.short[1:]}" if option.short else ""
            described = f" -d {_quoted(option.summary)}" if option.summary else ""
            value = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else " -r" if option.value else ""
            yield f"{seen} -l {option.name[2:]}{short}{value}{described}"
            if option.negatable:
                yield f"{seen} -l no-{option.name[2:]}"
        for argument in command.arguments:
            if argument.choices:
                yield f"{seen} -f -a {_quoted(' '.join(argument.choices))}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


_SCRIPTS: dict[str, Callable[[Sequence[Command]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
