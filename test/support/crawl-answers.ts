/** Everything that can be read from a crawl's folder, as plain values that two moments can be compared by. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { openState, statefulParts } from '../../src/crawler/session/crawl-state.ts'
import { changes, type PageChange } from '../../src/crawler/read/changes.ts'
import { duplicates } from '../../src/crawler/read/duplicate-clusters.ts'
import { explain } from '../../src/crawler/read/explanation.ts'
import { readCrawlWeb } from '../../src/crawler/read/export/crawl-web.ts'
import { exportCrawl } from '../../src/crawler/read/export/export.ts'
import { crawlFigures } from '../../src/crawler/read/figures/crawl-figures.ts'
import { status } from '../../src/crawler/read/status.ts'
import { savedState } from '../../src/lib/state.ts'
import { CrawlFolder } from '../../src/crawler/record/crawl-folder.ts'
import { newCounts } from '../../src/crawler/record/tally.ts'
import { search } from '../../src/crawler/parts/search/search.ts'
import { readWarc } from '../../src/web/warc/reader.ts'
import { replayed, stateOf } from './crawl-records.ts'

const explainEvery = process.env.FULL === '1' ? 1 : 5

/** At a fixed time: `explain` shows how fresh a page is now. */
export async function answersOf(out: string, nowMs: number): Promise<Record<string, unknown>> {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs })
  const to = mkdtempSync(join(tmpdir(), 'rankward-answers-'))
  try {
    const { urls, histories, middle } = await historiesOf(out)
    await exportCrawl(out, { to, format: ['parquet', 'tsv', 'jsonl'] })
    const { taken, engine } = await replayed(out)
    return {
      status: status(out),
      histories,
      tables: readdirSync(to)
        .toSorted()
        .map((name) => [name, readFileSync(join(to, name)).toString('base64')]),
      figures: await crawlFigures(out),
      changes: await all(changes(out)),
      changesSince: await all(changes(out, { since: new Date(middle) })),
      // Each is a replay of the whole crawl.
      explanations: await Promise.all(
        urls.filter((_, page) => page % explainEvery === 0).map((url) => explain(out, url)),
      ),
      search: await search(out, 'page words', { limit: 1000 }),
      duplicates: await duplicates(out),
      web: await readCrawlWeb(out),
      taken,
      engine: stateOf(engine),
    }
  } finally {
    rmSync(to, { recursive: true, force: true })
    vi.useRealTimers()
  }
}

/** Every record of every page, and all that the record has as a whole. */
export async function historiesOf(
  out: string,
): Promise<{ readonly urls: string[]; readonly histories: unknown; readonly middle: number }> {
  const record = await CrawlFolder.open(out).readRecord()
  try {
    const pages = Array.from(record.foundPages(), (found, page) => ({
      found,
      versions: [...record.versions(page)],
      looks: Array.from(record.looks(page), ({ warc, ...look }) => ({
        ...look,
        place: warc && [warc.thread, warc.serial, warc.offset, warc.length],
      })),
    }))
    const { counts, groups, lastAt, settings, siteNames, warcEnds } = record
    const words = record.newest('words')
    const origins = siteNames.map((name) => `http://${name}`)
    const robots = origins.map((origin) => record.robots(origin))
    const times = pages.flatMap(({ looks, versions }) =>
      [...looks, ...versions].map(({ startMs }) => startMs),
    )
    return {
      urls: pages.map(({ found }) => found.url),
      histories: { pages, counts, groups, lastAt, settings, siteNames, warcEnds, words, robots },
      middle: times.toSorted((a, b) => a - b)[times.length >> 1],
    }
  } finally {
    record.close()
  }
}

async function all(changed: AsyncIterable<PageChange>): Promise<PageChange[]> {
  const list: PageChange[] = []
  for await (const each of changed) list.push(each)
  return list
}

/** The archived body of every version, by page and version. */
export async function versionBodies(out: string): Promise<string[]> {
  const folder = CrawlFolder.open(out)
  const record = await folder.readRecord()
  try {
    const records = new Map(
      readdirSync(folder.warc)
        .filter((name) => /\.warc(\.gz)?$/.test(name))
        .flatMap((name) => [...readWarc(join(folder.warc, name))])
        .map((each) => [each.id, each] as const),
    )
    return Array.from({ length: record.known }, (_, page) =>
      Array.from(record.versions(page), ({ warc }) =>
        records
          .get(warc?.id ?? '')
          ?.http()
          ?.body.toString(),
      ),
    ).map((bodies) => JSON.stringify(bodies))
  } finally {
    record.close()
  }
}

/** All that a resume restores, except where the records are. */
export async function restoredParts(
  out: string,
): Promise<{ readonly parts: unknown; readonly from: number }> {
  const crawl = CrawlFolder.open(out)
  const state = await openState({
    folder: crawl,
    settings: crawl.file.options,
    counts: newCounts(),
    onTaken: () => {},
    onOutOfReach: () => {},
  })
  await state.log.close()
  return {
    parts: statefulParts(state).map((part) => [
      part.constructor.name,
      createHash('sha1')
        .update(Buffer.concat(savedState([part])))
        .digest('hex'),
    ]),
    from: state.restoredFrom,
  }
}
