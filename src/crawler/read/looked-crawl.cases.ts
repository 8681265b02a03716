/**
 * A small crawl with looks added to its record: one page changes, is missing and comes back.
 */
import type { Verdict } from '../../engine/recrawl-policy.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import { RecordWriter } from '../record/record-writer.ts'
import { SegmentLog } from '../record/segment-log.ts'
import { smallCrawl, type SmallCrawl } from './export/small-crawl.cases.ts'

export class LookedCrawl {
  readonly made: SmallCrawl
  /** The time of the first look. The others follow, a minute apart. */
  readonly lookedMs = Date.now() + 1000

  private constructor(made: SmallCrawl) {
    this.made = made
  }

  static async in(folder: string): Promise<LookedCrawl> {
    const crawl = new LookedCrawl(await smallCrawl(folder))
    const looks: [Verdict, number?][] = [
      ['changed'],
      ['same', 304],
      ['failed', 503],
      ['missing', 404],
      ['failed', 0],
      ['missing', 404],
      ['gone', 410],
      ['changed'],
      ['changed', 301],
    ]
    for (const [i, [verdict, status]] of looks.entries()) await crawl.look(1, verdict, i, status)
    return crawl
  }

  /** Adds a group with one look at a page; new content has an outcome too. */
  async look(page: number, verdict: Verdict, minutes: number, status = 200): Promise<void> {
    const writer = new RecordWriter(await SegmentLog.open(CrawlFolder.open(this.made.folder).log))
    for await (const _ of writer.groupsToReplay());
    const startMs = this.lookedMs + minutes * 60_000
    const response = { startMs, durationMs: 5, status, bytes: 7, order: 1 }
    const outcome: OutcomeRecord = { ...response, score: 1, title: `After ${minutes} minutes` }
    if (verdict === 'changed') writer.putOutcome(page, outcome)
    writer.putLook(page, { ...response, verdict })
    writer.closeGroup()
    await writer.commit(new Uint8Array(0), new Map(), {})
    await writer.close()
  }
}
