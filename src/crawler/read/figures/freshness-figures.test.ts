import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { CrawlRecord } from '../../record/crawl-record.ts'
import { RecordWriter } from '../../record/record-writer.ts'
import { SegmentLog } from '../../record/segment-log.ts'
import { FreshnessFigures } from './freshness-figures.ts'

const folder = temporaryFolder()
const beginMs = Date.UTC(2026, 0, 1)

afterEach(() => {
  vi.useRealTimers()
})

describe('the freshness of a crawl', () => {
  it('counts the wait of a new page from its discovery, however often its parent has changed since', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const log = join(folder, 'log')
    const writer = new RecordWriter(await SegmentLog.open(log, { isSynced: false }))
    const look = (page: number, seconds: number, verdict: 'first' | 'changed'): void => {
      const response = {
        startMs: beginMs + seconds * 1000,
        durationMs: 10,
        status: 200,
        bytes: 7,
        order: seconds,
      }
      writer.putOutcome(page, { ...response, score: 1 })
      writer.putLook(page, { ...response, verdict })
    }
    const found = (page: number, parent?: number): void =>
      writer.putFound(page, { url: `http://a.example/${page}`, site: 0, parent, depth: page })
    const commit = async (seconds: number): Promise<void> => {
      vi.setSystemTime(beginMs + seconds * 1000 + 10)
      writer.closeGroup()
      await writer.commit(new Uint8Array(0), new Map(), {})
    }
    writer.putSite('a.example')
    found(0)
    look(0, 0, 'first')
    found(1, 0)
    await commit(0)
    look(0, 10, 'changed')
    found(2, 0)
    found(3, 0)
    await commit(10)
    look(1, 40, 'first')
    look(2, 40, 'first')
    await commit(40)
    look(0, 50, 'changed')
    await commit(50)
    look(3, 110, 'first')
    await commit(110)
    await writer.close()
    const record = await CrawlRecord.open(log)
    const figures = new FreshnessFigures(record, beginMs, record.lastAt)
    for await (const group of record.results(0)) figures.results(group)
    const { waits } = figures.result()!
    record.close()
    // 40, 30 and 100 seconds after the versions that linked to them.
    expect(waits).toMatchObject({ count: 3, max: expect.closeTo(100, 1) as number })
    expect(waits!.mean).toBeCloseTo(170 / 3, 1)
  })
})
