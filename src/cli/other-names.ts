/** Names that other crawlers (wget, Scrapy, Crawlee, Heritrix, Katana) have for our options: for unknown options. */
import type { Command } from 'commander'

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
  '--quota': '--bytes',
  '--reject-regex': '--exclude',
  '--retries': '--attempts',
  '--retry': '--attempts',
  '--span-hosts': '--scope',
  '--timeout': '--limit-time',
  '--tries': '--attempts',
  '--warc-file': '--warc-prefix',
}

const unknownOption = /unknown option '(--[a-z-]+)(?:=[^']*)?'/

/** Commander's message, with our name of an option that another crawler has, if the command has it. */
export function withOurName(message: string, command: Command | undefined): string {
  const [found, name] = unknownOption.exec(message) ?? []
  if (found === undefined) return message
  const meant = command?.options.find(({ long }) => long !== undefined && long === ourNames[name])
  return meant === undefined ? message : `${found} (Did you mean ${meant.long}?)`
}
