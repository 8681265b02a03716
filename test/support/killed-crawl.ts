/** A web that notes when it is asked for which page, and a crawl of it in processes of its own, which are killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { resumeCrawl } from '../../src/crawler/crawler.ts'
import type { CrawlOptions } from '../../src/crawler/crawler.ts'
import { bestSeed } from '../../src/webgraph/reachability.ts'
import { syntheticGraph } from '../../src/webgraph/synthetic/synthetic-graph.ts'
import { assert } from '../../src/lib/assert.ts'
import { type ServedWeb, serveWeb } from '../../src/webgraph/served/served-web.ts'
import { expectWholeArchive } from './archive-check.ts'
import { fetchedUrls } from './crawl-records.ts'

const child = fileURLToPath(new URL('crawl-child.mjs', import.meta.url))

function newChild(): ChildProcess {
  return spawn(process.execPath, [child], { stdio: ['pipe', 'ignore', 'inherit'] })
}

interface Asked {
  readonly page: number
  readonly atMs: number
}

export class KilledCrawl {
  readonly out: string
  readonly asked: Asked[] = []
  readonly reachable: number
  /** The pages in the record after each kill, and the time. */
  readonly kept: { readonly atMs: number; readonly pages: ReadonlySet<number> }[] = []
  readonly #web: ReturnType<typeof syntheticGraph>
  readonly #options: Partial<CrawlOptions>
  readonly #seed: number
  #served: ServedWeb | undefined
  /** Loaded ahead, so that the time goes into crawling. */
  #next: ChildProcess | undefined
  #latencyMs = 0

  constructor(out: string, pages: number, options: Partial<CrawlOptions>) {
    this.out = out
    this.#web = syntheticGraph({ pages, sites: 24, seed: 17, linksPerPage: 8 })
    this.#options = options
    const { seed, reachable } = bestSeed(this.#web.graph)
    this.#seed = seed
    this.reachable = reachable
  }

  async open(latencyMs: number): Promise<void> {
    this.#latencyMs = latencyMs
    this.#served = await serveWeb(this.#web, {
      latencyMs: () => this.#latencyMs,
      keepAccesses: false,
      onRequest: ({ page }) => {
        if (page !== undefined) this.asked.push({ page, atMs: Date.now() })
      },
    })
  }

  /** From now on it answers at once. */
  hurry(): void {
    this.#latencyMs = 0
  }

  async close(): Promise<void> {
    this.#next?.kill('SIGKILL')
    await this.#served?.close()
  }

  start(): ChildProcess {
    const { out } = this
    const seeds = [this.#served!.urlOf(this.#seed)]
    const made: CrawlOptions = {
      seeds,
      out,
      scope: 'any',
      wait: 0,
      allowPrivate: true,
      traps: false,
      connections: 8,
      threads: 2,
    }
    const options = existsSync(join(out, 'crawl.json')) ? { out } : { ...made, ...this.#options }
    const running = this.#next ?? newChild()
    running.stdin!.write(JSON.stringify(options))
    this.#next = newChild()
    return running
  }

  /** Starts it and kills it that many milliseconds later, which is early: most of the time before its first request. */
  async killedEarly(delayMs: number): Promise<void> {
    const running = this.start()
    await pause(delayMs)
    await this.#kill(running)
  }

  /** Starts it, waits for its first request, for so many groups in its log and then for more requests, and kills it. */
  async killed({ groups = 0, requests = 0 }: { groups?: number; requests?: number }): Promise<void> {
    const running = this.start()
    const reached = async (done: () => boolean): Promise<void> => {
      while (!done() && running.exitCode === null) await pause(1)
    }
    const requested = (count: number): Promise<void> => {
      const before = this.asked.length
      return reached(() => this.asked.length >= before + count)
    }
    await requested(1)
    for (let group = 0; group < groups; group++) {
      const bytes = this.#logBytes()
      await reached(() => this.#logBytes() !== bytes)
    }
    await requested(requests)
    await this.#kill(running)
  }

  #logBytes(): number {
    const folder = join(this.out, 'record', 'log')
    if (!existsSync(folder)) return 0
    return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  }

  async #kill(running: ChildProcess): Promise<void> {
    if (running.exitCode === null) {
      const exited = once(running, 'exit')
      running.kill('SIGKILL')
      await exited
    }
    const { exitCode, signalCode } = running
    assert(signalCode === 'SIGKILL', `it had ended before it was killed, with ${exitCode}`)
    // What is on its way through the loopback is noted before the next one starts.
    await pause(5)
    if (existsSync(join(this.out, 'record', 'log'))) await this.#look()
  }

  /** Reads a copy, so that only the crawl itself opens its torn record. */
  async #look(): Promise<void> {
    const copy = `${this.out}-copy`
    cpSync(join(this.out, 'crawl.json'), join(copy, 'crawl.json'))
    cpSync(join(this.out, 'record'), join(copy, 'record'), { recursive: true })
    const urls = await fetchedUrls(copy)
    rmSync(copy, { recursive: true })
    this.kept.push({ atMs: Date.now(), pages: new Set(urls.map((url) => this.#served!.pageOf(url)!)) })
  }
}

/** Runs it to its end: no recorded page is lost or refetched, and the archive has each once. */
export async function expectEnd(crawled: KilledCrawl): Promise<void> {
  crawled.hurry()
  expect(await resumeCrawl({ out: crawled.out }).run()).toMatchObject({
    pages: crawled.reachable,
    known: crawled.reachable,
    stoppedBecause: 'finished',
  })
  expect(await fetchedUrls(crawled.out)).toHaveLength(crawled.reachable)
  const again = crawled.kept.flatMap(({ atMs, pages }) =>
    crawled.asked.filter((asked) => asked.atMs > atMs && pages.has(asked.page)),
  )
  expect(again, 'recorded pages are never refetched').toEqual([])
  const lost = crawled.kept.flatMap(({ pages }, i) =>
    [...(crawled.kept[i - 1]?.pages ?? [])].filter((page) => !pages.has(page)),
  )
  expect(lost, 'recorded pages are kept').toEqual([])
  await expectWholeArchive(crawled.out)
}
