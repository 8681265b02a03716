/** The newest progress in a record, and progress before it, for the rates that `rankward status` shows. */
import type { CrawlProgress } from '../options/crawl-options.ts'
import { GroupBytes } from './group.ts'
import type { SegmentFiles } from './segment-files.ts'

/** Rates are averages over this time, or over the session if that is shorter. */
const rateMs = 60_000
/** A crawl records its progress every ten seconds or more often. If so many groups have none, older ones are no use. */
const groupsMax = 10_000

interface Moment {
  readonly at: number
  readonly progress: CrawlProgress | undefined
}

interface RecentProgress {
  /** The newest group that has progress; without one, the last group; undefined if there is none. */
  readonly last: Moment | undefined
  /** One minute earlier, or the start of the session. */
  readonly before: Moment | undefined
  /** Number of groups that were read for this, from the last one backwards. */
  readonly groups: number
}

export function recentProgress(files: SegmentFiles): RecentProgress {
  let lastGroups = 0
  let last: Moment | undefined
  for (const group of files.newest((each) => momentOf(each).progress === undefined)) {
    const moment = momentOf(group)
    lastGroups++
    if (last === undefined || moment.progress !== undefined) last = moment
    if (lastGroups === groupsMax) break
  }
  if (last === undefined) return { last, before: undefined, groups: 0 }
  const sinceMs = last.at - rateMs
  let before = last
  let groups = 0
  for (const group of files.newest((each) => momentOf(each).at > sinceMs)) {
    const moment = momentOf(group)
    groups++
    if (moment.progress !== undefined) before = moment
  }
  return { last, before, groups: Math.max(groups, lastGroups) }
}

function momentOf(group: Uint8Array): Moment {
  const bytes = new GroupBytes(group)
  return { at: bytes.at, progress: bytes.json('progress') as CrawlProgress | undefined }
}
