/** The help of commands with many options: `--help` shows the common ones, `--help-all` shows all. */
import { type Command, Help, Option } from 'commander'

const helpFlags = ['--help', '--help-all']

/**
 * Adds both options, under this heading. `common` has the attribute names of the common options: `maxDepth` for
 * `--max-depth`, `progress` for both `--progress` and `--no-progress`.
 */
export function withCommonHelp(command: Command, heading: string, common: readonly string[]): Command {
  let showsAll = false
  const isCommon = (option: Option): boolean =>
    helpFlags.includes(option.long ?? '') || common.includes(option.attributeName())
  return command
    .addHelpOption(new Option('-h, --help', 'show the common options').helpGroup(heading))
    .addOption(new Option('--help-all', 'show all options').helpGroup(heading))
    .configureHelp({
      visibleOptions: (shown) =>
        new Help().visibleOptions(shown).filter((option) => showsAll || isCommon(option)),
    })
    .on('option:help-all', () => {
      showsAll = true
      command.help()
    })
}
