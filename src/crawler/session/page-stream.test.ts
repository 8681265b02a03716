import { describe, expect, it } from 'vitest'
import type { CrawledPage } from '../options/crawl-options.ts'
import { PageStream } from './page-stream.ts'

const page = (url: string): CrawledPage => ({ url }) as CrawledPage

describe('a stream of pages', () => {
  it('gives each of several calls of next a page, in order, or the end', async () => {
    const stream = new PageStream(() => {})
    const calls = [stream.next(), stream.next(), stream.next(), stream.next()]
    stream.push(page('a'))
    await calls[0]
    stream.push(page('b'))
    stream.push(page('c'))
    stream.end()
    expect(await Promise.all(calls)).toEqual([
      { done: false, value: page('a') },
      { done: false, value: page('b') },
      { done: false, value: page('c') },
      { done: true, value: undefined },
    ])
  })
})
