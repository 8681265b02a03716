/**
 * Crawls that are in no folder of this machine: those on a cluster. They are provided from above (cluster/register.ts), and loaded with the
 * commands that know them: without them, these commands work for folders.
 */
import type { Command } from 'commander'
import type { CrawlCliOptions } from '../crawler/options/crawl-options.ts'
import type { Explanation } from '../crawler/read/explanation.ts'
import type { ExportOptions, ExportResult } from '../crawler/read/export/export.ts'
import { RankwardError } from '../lib/errors.ts'
import { Provided } from '../lib/provided.ts'
import type { Progress } from '../lib/progress.ts'
import { progressBar } from './terminal.ts'

export interface OpenedDashboard {
  readonly url: string
  readonly token: string
  readonly needsToken: boolean
  close(): Promise<void>
}

export interface CrawlsElsewhere {
  /** Adds the options that name such a crawl. */
  withOptions(command: Command): Command
  /** As above, for a command that copies its journals. */
  withCopyOptions(command: Command): Command
  /** Adds the options that begin such a crawl. */
  withCrawlOptions(command: Command): Command
  /** Whether these options are given. */
  hasOptions(command: Command): boolean
  /** True if they name such a crawl; throws if a folder is given too, or neither. */
  isMeant(command: Command, folder: string | undefined): boolean
  isBegun(command: Command): boolean
  nameOf(command: Command): string
  begin(seeds: readonly string[], options: CrawlCliOptions, command: Command): Promise<void>
  status(command: Command): Promise<{ readonly json: object; readonly text: string }>
  explain(url: string, command: Command, progress: Progress): Promise<Explanation>
  export(command: Command, tables: ExportOptions): Promise<ExportResult>
  /** Copies its journals to a folder that is read as that of a crawl, and returns it. */
  copied(command: Command, progress: Progress): Promise<string>
  dashboard(
    command: Command,
    options: {
      readonly address: string
      readonly tokenFile: string | undefined
      readonly names: readonly string[] | undefined
      readonly onProblem: (what: string) => void
    },
  ): Promise<OpenedDashboard>
}

/** For commands that read a folder: it, or that of the copies of a crawl elsewhere. */
export async function readFolder(
  given: CrawlsElsewhere | undefined,
  command: Command,
  folder: string | undefined,
  isShown?: boolean,
): Promise<string> {
  const meant = meantElsewhere(given, command, folder)
  if (meant === undefined) return folder!
  const copying = progressBar('Copying the journals', isShown)
  return meant.copied(command, copying.progress).finally(() => copying.end())
}

export const crawlsElsewhere = new Provided<() => Promise<CrawlsElsewhere>>('A crawl on a cluster')

/** Undefined if they were not provided. */
export async function elsewhere(): Promise<CrawlsElsewhere | undefined> {
  return crawlsElsewhere.given?.()
}

/** For commands that take a folder, or a crawl elsewhere: the latter if it is meant. */
export function meantElsewhere(
  given: CrawlsElsewhere | undefined,
  command: Command,
  folder: string | undefined,
): CrawlsElsewhere | undefined {
  if (given !== undefined) return given.isMeant(command, folder) ? given : undefined
  if (folder === undefined)
    throw new RankwardError('USAGE', 'No crawl is given: expected the folder of a crawl.')
  return undefined
}
