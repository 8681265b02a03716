/** Names that users may expect, for unknown commands and options: the line that refuses them names ours. */
import type { Command, Option } from 'commander'

/** The options of a command that have no flag (levels.ts). */
export const withoutFlag = new WeakMap<Command, readonly Option[]>()

/** Commands, by the words that are tried first. */
export const ourCommands: Readonly<Record<string, string>> = {
  clusters: 'cluster list',
  delete: 'cluster delete',
  pause: 'cluster pause',
  refresh: 'recrawl',
  shards: 'cluster shards',
  stop: 'cluster stop',
  worker: 'cluster worker',
  workers: 'cluster workers',
}

/** Options as other crawlers (wget, Scrapy, Crawlee, Heritrix, Katana) name them. */

export const ourNames: Readonly<Record<string, string>> = {
  '--accept-regex': '--include',
  '--crawl-duration': '--time',
  '--delay': '--wait',
  '--depth': '--max-depth',
  '--domains': '--scope',
  '--download-delay': '--wait',
  '--ignore-robots': '--no-robots-txt',
  '--input-file': '--seeds-file',
  '--level': '--max-depth',
  '--limit': '--pages',
  '--load-cookies': '--cookies',
  '--max-concurrency': '--connections',
  '--max-pages': '--pages',
  '--max-requests': '--pages',
  '--no-check-certificate': '--insecure',
  '--no-robots': '--no-robots-txt',
  '--output': '--out',
  '--page-requisites': '--requisites',
  '--parallelism': '--connections',
  '--concurrency': '--connections',
  '--quota': '--bytes',
  '--reject-regex': '--exclude',
  '--retries': '--attempts',
  '--retry': '--attempts',
  '--span-hosts': '--scope',
  '--timeout': '--limit-time',
  '--tries': '--attempts',
}

const unknownCommand = /unknown command '([a-z-]+)'/
const unknownOption = /unknown option '(--[a-z-]+)(?:=[^']*)?'/

/** Commander's message, with our name of a command or of an option of this command, if there is one. */
export function withOurName(message: string, command: Command | undefined): string {
  const [noCommand, word = ''] = unknownCommand.exec(message) ?? []
  if (noCommand !== undefined && Object.hasOwn(ourCommands, word))
    return `${noCommand} (Did you mean ${ourCommands[word]}?)`
  const [noOption, name = ''] = unknownOption.exec(message) ?? []
  const advice = noOption === undefined || command === undefined ? undefined : adviceOn(name, command)
  return advice === undefined ? message : noOption + advice
}

/** What to use in place of an option that the command does not have; undefined if nothing fits. */
function adviceOn(name: string, command: Command): string | undefined {
  if (name === '--cluster' && command.name() === 'resume') return ' (Did you mean cluster resume?)'
  const settable = withoutFlag.get(command)?.find(({ long }) => long === name)
  if (settable !== undefined) return `. Use --set ${settable.attributeName()}=VALUE`
  const meant = command.options.find(({ long }) => long !== undefined && long === ourNames[name])
  return meant && ` (Did you mean ${meant.long}?)`
}
