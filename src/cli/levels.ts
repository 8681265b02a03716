/**
 * Commands with many options have three levels of them: `--help` shows the common ones, `--help-all` all, and those without a flag
 * are set by `--set name=value`, as in a config file.
 */
import { type Command, Help, InvalidArgumentError, Option } from 'commander'
import { nearest } from '../lib/nearest.ts'
import { suggest } from './options.ts'
import { withoutFlag } from './other-names.ts'

interface Levels {
  /** The heading of `--help`, `--help-all` and `--set`. */
  readonly heading: string
  /** Attribute names: `maxDepth` for `--max-depth`, `progress` for both `--progress` and `--no-progress`. */
  readonly common: readonly string[]
  /** Those without a flag. */
  readonly settable: readonly string[]
}

const helpFlags = ['--help', '--help-all', '--set']

/** For commands whose options have been added. */
export function withLevels(command: Command, { heading, common, settable }: Levels): Command {
  const isSettable = (option: Option): boolean => settable.includes(option.attributeName())
  const hidden = command.options.filter(isSettable)
  // Commander finds flags in this list; the defaults of options are already part of the command.
  const flags = command.options as Option[]
  flags.splice(0, flags.length, ...flags.filter((option) => !isSettable(option)))
  withoutFlag.set(command, hidden)
  let showsAll = false
  const isCommon = (option: Option): boolean =>
    helpFlags.includes(option.long ?? '') || common.includes(option.attributeName())
  const set = new Option('--set <name=value>', 'set an option by its name; may be repeated')
    .helpGroup(heading)
    .argParser((text: string) => setOption(command, text))
  suggest(
    set,
    hidden.map((option) => `${option.attributeName()}=`),
  )
  return command
    .addHelpOption(new Option('-h, --help', 'show the common options').helpGroup(heading))
    .addOption(new Option('--help-all', 'show all options').helpGroup(heading))
    .addOption(set)
    .configureHelp({
      visibleOptions: (shown) =>
        new Help().visibleOptions(shown).filter((option) => showsAll || isCommon(option)),
      formatHelp: (shown, help) =>
        Help.prototype.formatHelp.call(help, shown, help) + (showsAll ? `${settableText(hidden)}\n` : ''),
    })
    .on('option:help-all', () => {
      showsAll = true
      command.help()
    })
}

function settableText(options: readonly Option[]): string {
  const rows = options.map((option) => [exampleOf(option), new Help().optionDescription(option)] as const)
  const width = Math.max(...rows.map(([name]) => name.length))
  return ['With --set only:', ...rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`)].join('\n')
}

/** `warcLevel=n`; a flag as the value that has an effect. */
function exampleOf(option: Option): string {
  const [, placeholder] = /[<[](.*)[>\]]$/.exec(option.flags) ?? []
  return `${option.attributeName()}=${placeholder ?? !option.negate}`
}

function setOption(command: Command, text: string): void {
  const [, given, value] = /^\s*-{0,2}([A-Za-z][\w-]*)\s*=(.*)$/s.exec(text) ?? []
  if (given === undefined) throw new InvalidArgumentError('Expected name=value.')
  const name = given.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const known = [...(withoutFlag.get(command) ?? []), ...command.options].filter(
    ({ long }) => long !== '--set' && long !== '--help-all',
  )
  const options = known.filter((option) => option.attributeName() === name)
  if (options.length === 0) throw new InvalidArgumentError(unknownName(given, known))
  command.setOptionValueWithSource(name, valueOf(command, options, value), 'cli')
}

function valueOf(command: Command, options: readonly Option[], text: string): unknown {
  const taking = options.find(({ required, optional }) => required || optional)
  const isWord = text === 'true' || text === 'false'
  if (taking === undefined && !isWord) throw new InvalidArgumentError('Expected true or false.')
  if (isWord && (taking === undefined || taking.optional || (text === 'false' && options.length > 1)))
    return text === 'true'
  const name = options[0].attributeName()
  const before: unknown =
    command.getOptionValueSource(name) === 'cli' ? command.getOptionValue(name) : undefined
  return taking?.parseArg === undefined ? text : taking.parseArg(text, before)
}

function unknownName(name: string, known: readonly Option[]): string {
  const names = [...new Set(known.map((option) => option.attributeName()))]
  const meant = nearest(name, names)
  return `There is no option "${name}".${meant === undefined ? ' See --help-all.' : ` Did you mean ${meant}?`}`
}
