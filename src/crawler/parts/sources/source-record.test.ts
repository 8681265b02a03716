import { expect, it } from 'vitest'
import { ByteWriter } from '../../../lib/byte-writer.ts'
import { savedState } from '../../../lib/state.ts'
import { SourceSchedule, type SourceEvent } from './source-schedule.ts'
import { decodeSources, encodeSource } from './source-record.ts'

it('a schedule of sitemaps and feeds follows from its recorded changes', () => {
  const recorded = new ByteWriter()
  const events: SourceEvent[] = []
  const onEvent = (event: SourceEvent): void => {
    events.push(event)
    encodeSource(recorded, event)
  }
  const schedule = new SourceSchedule({ restSeconds: 60, onEvent })
  const add = (url: string, at: number): void => {
    schedule.add({ url, kind: url.endsWith('.xml') ? 'sitemap' : 'feed', site: 3, parent: 70_000 }, at)
  }
  add('https://a.example/map.xml', 1000.25)
  add('https://a.example/feed', 1001)
  add('https://a.example/feed', 1002)
  add('https://a.example/other.xml', 1003)
  const validator = { etag: '"1"', lastModified: 'Sun, 01 Nov 2026 00:00:00 GMT' }
  for (const source of [0, 1, 2]) schedule.take(2000 + source)
  schedule.settle(0, 2000, { kind: 'read', low: 1, high: 0xffffffff, validator })
  schedule.settle(1, 2001.5, { kind: 'missing' })
  schedule.settle(2, 2002, { kind: 'failed' })
  schedule.announce(2, 3000, 3001)
  schedule.take(4000)
  schedule.settle(2, 4000, { kind: 'not-modified' })
  expect(events).toHaveLength(8)
  const again = new SourceSchedule({ restSeconds: 60 })
  for (const event of decodeSources(recorded.view())) again.replay(event)
  expect(again.count).toBe(3)
  expect(Buffer.concat(savedState([again]))).toEqual(Buffer.concat(savedState([schedule])))
})
