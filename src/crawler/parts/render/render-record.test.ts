import { expect, it } from 'vitest'
import { ByteWriter } from '../../../lib/byte-writer.ts'
import {
  decodeRendered,
  encodeRendered,
  hasGained,
  type RenderedPage,
  type RenderRequest,
} from './render-record.ts'

it('rendered pages and their requests are read as they were written', () => {
  const gain = { links: 3, newLinks: 1, textBefore: 10, textAfter: 4000 }
  const request = {
    kind: 'request',
    page: 7,
    url: 'http://h/a.js',
    startMs: 1.5,
    durationMs: 2,
    status: 200,
    bytes: 99,
  } as const
  const events: (RenderedPage | RenderRequest)[] = [
    { kind: 'page', page: 300, look: 'shell', reason: 'sample', gain },
    { kind: 'page', page: 1, look: 'plain', reason: 'audit' },
    {
      ...request,
      error: undefined,
      contentType: 'text/javascript',
      warc: { thread: 1, serial: 2, offset: 3, length: 4 },
    },
    { ...request, status: 0, error: 'timeout', contentType: undefined, warc: undefined },
  ]
  const bytes = new ByteWriter()
  for (const event of events) encodeRendered(bytes, event)
  expect([...decodeRendered(bytes.view())]).toEqual(events)
})

it('a page gains by a new link, or by a quarter more text', () => {
  const gain = { links: 5, newLinks: 0, textBefore: 1000, textAfter: 1000 }
  expect(hasGained(gain)).toBe(false)
  expect(hasGained({ ...gain, newLinks: 1 })).toBe(true)
  expect(hasGained({ ...gain, textAfter: 1249 })).toBe(false)
  expect(hasGained({ ...gain, textAfter: 1250 })).toBe(true)
  expect(hasGained({ ...gain, textBefore: 10, textAfter: 200 })).toBe(false)
})
