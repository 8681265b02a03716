/**
 * Scripts with which a shell completes commands, options and the values of options. They are made from the
 * commands themselves, so they list exactly what these accept.
 */
import { Argument, Command, Help, type Option } from 'commander'
import { contentNames, exportFormats } from '../crawler/read/export/destination.ts'
import { frontiers } from '../engine/frontiers/index.ts'
import { recrawlPolicies } from '../engine/recrawl/policies/index.ts'
import { strategies } from '../engine/strategies/index.ts'
import { stemmedLanguages } from '../web/text/stem.ts'
import { suggestionsOf } from './options.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** Values of options that accept others too: a module, a sum, a list with commas. */
const namedValues: Readonly<Record<string, readonly string[]>> = {
  '--strategy': strategies.map(({ name }) => name),
  '--frontier': frontiers.map(({ name }) => name),
  '--recrawl-policy': recrawlPolicies.map(({ name }) => name),
  '--format': exportFormats,
  '--content': contentNames,
  '--language': stemmedLanguages,
}

/** A command or subcommand. */
interface Completed {
  /** The words that lead to it: `graph info`; empty for `rankward` itself. */
  readonly path: string
  readonly about: string
  readonly subcommands: readonly string[]
  /** Arguments that it accepts, if they are a fixed set. */
  readonly values: readonly string[]
  readonly options: readonly CompletedOption[]
}

interface CompletedOption {
  /** `--out`, `-h`. */
  readonly names: readonly string[]
  readonly about: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

export function completionCommand(allCommands: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  rankward completion bash > ~/.local/share/bash-completion/completions/rankward
  rankward completion zsh > ~/.zfunc/_rankward        # with fpath+=~/.zfunc before compinit in ~/.zshrc
  rankward completion fish > ~/.config/fish/completions/rankward.fish`,
    )
    .action(async (shell: Shell) => {
      process.stdout.write(completionScript(shell, await allCommands()))
    })
}

function completionScript(shell: Shell, commands: readonly Command[]): string {
  const names = commands.map((command) => command.name())
  const root: Completed = { path: '', about: '', subcommands: names, values: [], options: [] }
  const all = [root, ...commands.flatMap((command) => completed(command, ''))]
  return scripts[shell](all)
}

function completed(command: Command, parent: string): Completed[] {
  const path = `${parent} ${command.name()}`.trimStart()
  // Not the command's own: that lists only the common options.
  const help = new Help()
  return [
    {
      path,
      about: command.description(),
      subcommands: command.commands.map((sub) => sub.name()),
      values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
      options: help.visibleOptions(command).map(completedOption),
    },
    ...command.commands.flatMap((sub) => completed(sub, path)),
  ]
}

function completedOption(option: Option): CompletedOption {
  const { short, long, description, required, optional } = option
  const choices = suggestionsOf(option)
  return {
    names: [short, long].filter((name) => name !== undefined),
    about: description,
    takesValue: required || optional,
    choices: choices.length > 0 ? choices : (namedValues[long ?? ''] ?? []),
  }
}

const scripts: Readonly<Record<Shell, (all: readonly Completed[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** Single quotes for all three shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function bashScript(all: readonly Completed[]): string {
  const values = all.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ names, choices }) => {
        const patterns = names.map((name) => `"${path} ${name}"`).join('|')
        const reply =
          choices.length === 0
            ? 'compgen -f -- "$word"'
            : `compgen -P "$list" -W ${quoted(choices.join(' '))} -- "\${word##*,}"`
        return `    ${patterns}) COMPREPLY=($(${reply})); return ;;`
      }),
  )
  const words = all.map(({ path, subcommands, values: fixed, options }) => {
    const names = [...subcommands, ...fixed, ...options.flatMap((option) => option.names)]
    return `    ${quoted(path)}) words=${quoted(names.join(' '))} ;;`
  })
  return `# bash completion for rankward
_rankward() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' i list
  list="\${word%"\${word##*,}"}"
  for ((i = 1; i < COMP_CWORD; i++)); do
    case " ${all.map(({ path }) => path.replaceAll(' ', '_')).join(' ')} " in
      *" \${path:+\${path// /_}_}\${COMP_WORDS[i]} "*) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path $before" in
${values.join('\n')}
  esac
  case "$path" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [[ -n $path && $word != -* ]]; then COMPREPLY+=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _rankward rankward
`
}

/** Zsh gives square brackets and colons in a specification a meaning. */
function zshText(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, String.raw`\$&`)
}

function zshScript(all: readonly Completed[]): string {
  const functionOf = (path: string): string =>
    `_rankward${path === '' ? '' : `_${path.replaceAll(' ', '_')}`}`
  const functions = all.map(({ path, subcommands, values, options }) => {
    const lines = options.flatMap(({ names, about, takesValue, choices }) =>
      names.map((name) => {
        const value = choices.length > 0 ? `(${choices.join(' ')})` : '_files'
        return quoted(`${name}[${zshText(about)}]${takesValue ? `:value:${value}` : ''}`)
      }),
    )
    const rest = values.length === 0 ? "'*:file:_files'" : quoted(`1:value:(${values.join(' ')})`)
    if (subcommands.length === 0) {
      return `${functionOf(path)}() {\n  _arguments \\\n    ${[...lines, rest].join(' \\\n    ')}\n}`
    }
    const shown = subcommands.map((name) => {
      const { about } = all.find((one) => one.path === `${path} ${name}`.trimStart())!
      return `    ${quoted(`${name}:${zshText(about)}`)}`
    })
    const cases = subcommands.map((name) => `    ${name}) ${functionOf(`${path} ${name}`.trimStart())} ;;`)
    return `${functionOf(path)}() {
  local line state
  _arguments -C ${lines.join(' ')} '1: :->command' '*::argument:->arguments'
  local -a commands=(
${shown.join('\n')}
  )
  case $state in
    command) _describe command commands ;;
    arguments) case $line[1] in
${cases.join('\n')}
    esac ;;
  esac
}`
  })
  return `#compdef rankward\n\n${functions.join('\n\n')}\n\n_rankward "$@"\n`
}

function fishScript(all: readonly Completed[]): string {
  const lines = all.flatMap(({ path, subcommands, values, options }) => {
    const words = path === '' ? [] : path.split(' ')
    const inside = words.map((word) => `__fish_seen_subcommand_from ${word}`)
    const before =
      path === ''
        ? '__fish_use_subcommand'
        : [...inside, `not __fish_seen_subcommand_from ${subcommands.join(' ')}`].join('; and ')
    return [
      ...subcommands.map((name) => {
        const { about } = all.find((one) => one.path === `${path} ${name}`.trimStart())!
        return `complete -c rankward -f -n ${quoted(before)} -a ${name} -d ${quoted(about)}`
      }),
      ...values.map((value) => `complete -c rankward -f -n ${quoted(inside.join('; and '))} -a ${value}`),
      ...options.map(({ names, about, takesValue, choices }) => {
        const flags = names.map((name) =>
          name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
        )
        const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : ''
        return `complete -c rankward -n ${quoted(inside.join('; and '))} ${flags.join(' ')}${value} -d ${quoted(about)}`
      }),
    ]
  })
  return `# fish completion for rankward\n${lines.join('\n')}\n`
}
