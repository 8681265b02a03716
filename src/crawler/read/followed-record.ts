/** The results of a crawl in the order in which they were recorded, and on request those that follow. */
import { setTimeout as pause } from 'node:timers/promises'
import { flag, type OptionChecks } from '../../lib/option-checks.ts'
import { timeOption } from '../../lib/time-option.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import type { CrawlRecord, GroupResults } from '../record/crawl-record.ts'
import { isCompacted } from '../record/segment-files.ts'
import { warcNaming, type WarcNaming } from '../record/warc-name.ts'

/** While a crawl is followed, its record is read again at this interval. */
const followMs = 1000

export interface FollowOptions {
  /** Only what was recorded at this time or later: a date, or a text that `Date` reads. Default: all. */
  readonly since?: Date | string | undefined
  /** Wait for more until the iteration is stopped. */
  readonly follow?: boolean | undefined
}

export const followChecks: OptionChecks<FollowOptions> = {
  since: (value) => void timeOption('since', value),
  follow: flag,
}

/** Lists what a group of the record has. Called once for each group, before the next one is read. */
type GroupReader<Item> = (group: GroupResults) => readonly Item[]

/** All items of the crawl in this folder. A compaction meanwhile does no harm. `isWhole`: the reader gets all groups of the record. */
export async function* followed<Item>(
  path: string,
  { since, follow }: FollowOptions,
  readerOf: (record: CrawlRecord, naming: WarcNaming, isWhole: boolean) => GroupReader<Item>,
): AsyncGenerator<Item> {
  const folder = CrawlFolder.open(path)
  const sinceMs = since === undefined ? 0 : timeOption('since', since)
  let last: number | undefined
  for (;;) {
    const record = await folder.readRecord()
    try {
      last ??= record.groupBefore(sinceMs)
      const isWhole = last === 0 && since === undefined
      const itemsOf = readerOf(record, warcNaming(folder.file.options), isWhole)
      for (;;) {
        for await (const group of record.results(last)) {
          const items = group.closedMs >= sinceMs ? itemsOf(group) : []
          last = group.number
          yield* items
        }
        if (follow !== true) return
        await pause(followMs)
        await record.refresh()
      }
    } catch (error) {
      // A compaction moves the groups and keeps their numbers.
      if (!isCompacted(error)) throw error
    } finally {
      record.close()
    }
  }
}
