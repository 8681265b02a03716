/**
 * Short options: one letter has one meaning in all commands. Commands define only the long names, so a command
 * cannot give a letter another meaning.
 */
import type { Command } from 'commander'

const shortOf: Readonly<Record<string, string>> = {
  '--out': '-o',
  '--to': '-o',
  '--pages': '-n',
  '--strategy': '-s',
}

/** Adds the short options to a command and its subcommands. */
export function withShortOptions(command: Command): Command {
  for (const option of command.options) {
    const short = shortOf[option.long ?? '']
    if (short === undefined || option.short !== undefined) continue
    option.short = short
    option.flags = `${short}, ${option.flags}`
  }
  for (const sub of command.commands) withShortOptions(sub)
  return command
}
