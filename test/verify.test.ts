/**
 * `rankward verify` on damaged crawls: random bytes of every file are changed, cut off, appended, files are removed and
 * exchanged. Whatever a reader could notice is found, and derived files are rebuilt byte for byte.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Crawl, CrawlEvent } from '../src/index.ts'
import { compact, crawl, exportCrawl, readWarc, resumeCrawl, search, status, verify } from '../src/index.ts'
import { seededRandom } from '../src/lib/random.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { SegmentFiles } from '../src/crawler/record/segment-files.ts'
import { WriterLock } from '../src/crawler/record/writer-lock.ts'
import { rankward } from './command-line.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = temporaryFolder()
const original = join(root, 'original')
const host = '127.1.0.1'
const pages = 40
const seed = Number(process.env['SEED'] ?? 7)
let web: SmallWeb
let copies = 0

const onPage = ({ url, title }: { url: string; title: string }): { items: object[] } => ({
  items: [{ url, title, note: 'ü'.repeat(20) }],
})
const settings = { wait: 0, allowPrivate: true, threads: 2, strategy: 'breadth-first', onPage } as const

function path(number: number): string {
  return number === 0 ? '/' : `/p${number}`
}

beforeAll(async () => {
  const all = Array.from({ length: pages }, (_, i) => {
    const links = [2 * i + 1, 2 * i + 2].filter((other) => other < pages).map(path)
    return [path(i), pageWith(`Page ${i}, ${'word '.repeat(i)}`, ...links)] as const
  })
  web = await serveSmall({
    [host]: Object.fromEntries(all),
    '127.1.0.2': { '/': pageWith('Other', '/b'), '/b': 'B' },
  })
  const seeds = [web.url(`${host}/`), web.url('127.1.0.2/')]
  // Three sessions, so that the record has several segments, and snapshots of those that were interrupted.
  await interrupted(10, (onEvent) =>
    crawl({ ...settings, seeds, out: original, warcBytesMax: 8000, onEvent }),
  )
  await interrupted(12, (onEvent) => resumeCrawl({ out: original, onPage, onEvent }))
  await resumeCrawl({ out: original, onPage }).run()
  await search(original, 'word')
})

afterAll(() => web.close())

/** Runs a session, and stops it after so many pages. */
async function interrupted(
  pagesMax: number,
  session: (onEvent: (event: CrawlEvent) => void) => Crawl,
): Promise<void> {
  let count = 0
  const running = session(({ kind }) => {
    if (kind === 'page' && ++count === pagesMax) running.stop()
  })
  expect((await running.run()).stoppedBecause).toBe('interrupted')
}

/** A copy of the crawl that may be damaged. */
function copied(from = original): string {
  const to = join(root, `copy-${++copies}`)
  cpSync(from, to, { recursive: true })
  return to
}

/** All files of a crawl, relative to its folder. */
function filesIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = join(below, entry.name)
    return entry.isDirectory() ? filesIn(folder, name) : [name]
  })
}

function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesIn(folder).map((name) => [
      name,
      createHash('sha1')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  )
}

const isDerived = (name: string): boolean => name.endsWith('.cdxj') || name === 'items.jsonl'

/** All groups of the record. The unused bytes of a segment's header and what follows a torn group are not read. */
async function groupsIn(folder: string): Promise<string> {
  const { log, groupsMin } = CrawlFolder.open(folder)
  const groups: string[] = []
  for await (const { number, bytes } of new SegmentFiles(log, groupsMin).groups(0))
    groups.push(`${number} ${Buffer.from(bytes).toString('latin1')}`)
  return groups.join()
}

/** What readers get from a file; undefined if they fail. */
async function readingOf(folder: string, name: string): Promise<string | undefined> {
  const at = join(folder, name)
  if (!existsSync(at)) return undefined
  try {
    if (name === 'crawl.json') return JSON.stringify(JSON.parse(readFileSync(at, 'utf8')))
    if (name.endsWith('.log')) return await groupsIn(folder)
    if (!name.endsWith('.warc.gz')) return readFileSync(at, 'latin1')
    return JSON.stringify(
      Array.from(readWarc(at), ({ fields, block, offset, length }) => [fields, block, offset, length]),
    )
  } catch {
    return undefined
  }
}

type Damager = (bytes: Buffer, random: () => number) => Buffer

const damagers: Record<string, Damager> = {
  flip: (bytes, random) => {
    const changed = Buffer.from(bytes)
    changed[Math.floor(random() * bytes.length)] ^= 1 << Math.floor(random() * 8)
    return changed
  },
  zero: (bytes, random) => {
    const at = Math.floor(random() * bytes.length)
    return Buffer.from(bytes).fill(0, at, Math.min(bytes.length, at + 1 + Math.floor(random() * 40)))
  },
  truncate: (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length)),
  append: (bytes, random) => Buffer.concat([bytes, Buffer.alloc(1 + Math.floor(random() * 50), 'foreign ')]),
  insert: (bytes, random) => {
    const at = Math.floor(random() * bytes.length)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from('x'), bytes.subarray(at)])
  },
}

async function expectFound(folder: string, name: string, how: string): Promise<void> {
  const result = await verify(folder)
  const isUnread = (await readingOf(folder, name)) === (await readingOf(original, name))
  if (!isUnread) expect(result.state, `${how} of ${name}`).not.toBe('good')
}

describe('verify', () => {
  it('finds nothing in a crawl of several sessions, and writes nothing', async () => {
    const before = contentOf(original)
    const result = await verify(original)
    expect(result).toMatchObject({ state: 'good', pid: undefined })
    const checked = Object.fromEntries(
      result.parts.map(({ name, files, checked: what }) => [name, [files, what]]),
    )
    expect(checked['warc'][0]).toBeGreaterThan(2)
    expect(checked).toMatchObject({
      items: [1, `${pages + 2} items`],
      'search index': [3, `${pages + 2} documents`],
    })
    expect(checked['snapshots'][0]).toBeGreaterThan(0)
    expect(contentOf(original)).toEqual(before)
  })

  it.each(Object.keys(damagers))(
    'finds random damage of every file that a reader could notice: %s',
    async (how) => {
      const random = seededRandom(seed)
      for (const name of filesIn(original)) {
        for (let round = 0; round < 3; round++) {
          const folder = copied()
          const at = join(folder, name)
          writeFileSync(
            at,
            damagers[how](readFileSync(at), () => random.fraction()),
          )
          await expectFound(folder, name, `${how}, seed ${seed}, round ${round},`)
          rmSync(folder, { recursive: true })
        }
      }
    },
  )

  it('finds every file that is missing, except snapshots, which nothing needs', async () => {
    for (const name of filesIn(original)) {
      const folder = copied()
      rmSync(join(folder, name))
      const { state } = await verify(folder)
      expect([name, state === 'good']).toEqual([name, name.endsWith('.snapshot')])
    }
  })

  it('finds files of the same kind that were exchanged', async () => {
    for (const ending of ['.warc.gz', '.cdxj', '.log']) {
      const [first, second] = filesIn(original).filter((name) => name.endsWith(ending))
      const folder = copied()
      cpSync(join(original, first), join(folder, second))
      cpSync(join(original, second), join(folder, first))
      expect((await verify(folder)).state).not.toBe('good')
    }
  })

  it('rebuilds indexes and items byte for byte, whatever happened to them', async () => {
    const random = seededRandom(seed)
    const whole = contentOf(original)
    for (const name of filesIn(original).filter(isDerived)) {
      for (const [how, damage] of [...Object.entries(damagers), ['remove', undefined] as const]) {
        const folder = copied()
        const at = join(folder, name)
        if (damage === undefined) rmSync(at)
        else
          writeFileSync(
            at,
            damage(readFileSync(at), () => random.fraction()),
          )
        expect((await verify(folder)).state, `${how} of ${name}`).toBe('repairable')
        expect((await verify(folder, { repair: true })).state, `${how} of ${name}`).toBe('repaired')
        expect(contentOf(folder)).toEqual(whole)
        expect((await verify(folder)).state).toBe('good')
        rmSync(folder, { recursive: true })
      }
    }
  })

  it('rebuilds the search index from the archive, with the same content', async () => {
    const sums = (folder: string): string[] =>
      Object.entries(contentOf(join(folder, 'search-index')))
        .filter(([name]) => name !== 'index.json')
        .map(([name, sum]) => `${name.split('.').slice(1).join('.')} ${sum}`)
        .toSorted()
    // Built at once, as a repair does: the names of its files are new each time.
    const fresh = copied()
    rmSync(join(fresh, 'search-index'), { recursive: true })
    const found = await search(fresh, 'word')
    const random = seededRandom(seed)
    for (const name of readdirSync(join(fresh, 'search-index'))) {
      const folder = copied(fresh)
      const at = join(folder, 'search-index', name)
      writeFileSync(
        at,
        damagers['zero'](readFileSync(at), () => random.fraction()),
      )
      expect((await verify(folder, { repair: true })).state).toBe('repaired')
      expect((await verify(folder)).state).toBe('good')
      expect(await search(folder, 'word')).toEqual(found)
      expect(sums(folder)).toEqual(sums(fresh))
    }
  })

  it('says which responses a damaged WARC file has lost, and that its index cannot be rebuilt', async () => {
    const folder = copied()
    const name = filesIn(folder).find((each) => each.endsWith('.warc.gz'))!
    const at = join(folder, name)
    const bytes = readFileSync(at)
    const response = [...readWarc(at)].find(
      ({ type, targetUri }) => type === 'response' && !targetUri!.endsWith('.txt'),
    )!
    bytes.fill(0xff, response.offset + 20, response.offset + 60)
    writeFileSync(at, bytes)
    rmSync(at.replace('.warc.gz', '.cdxj'))
    const { state, parts } = await verify(folder, { repair: true })
    expect(state).toBe('damaged')
    const damages = parts.flatMap((part) => part.damages)
    expect(damages).toMatchObject([
      { file: name, repairable: false, what: expect.stringMatching(/damaged at byte \d+/) as string },
      { file: name, what: '1 recorded response cannot be read from it.' },
      { file: name.replace('.warc.gz', '.cdxj'), repairable: false },
    ])
  })

  it('repairs bytes after the end of a WARC file, damaged snapshots and damaged totals', async () => {
    const folder = copied()
    const warc = filesIn(folder).find((name) => name.endsWith('.warc.gz'))!
    writeFileSync(join(folder, warc), Buffer.concat([readFileSync(join(folder, warc)), Buffer.from('more')]))
    const snapshot = filesIn(folder).find((name) => name.endsWith('.snapshot'))!
    truncateSync(join(folder, snapshot), 100)
    const file = join(folder, 'crawl.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(`"pages": ${pages + 2}`, '"pages": 9999'))
    expect(() => CrawlFolder.open(folder)).toThrow(/totals do not match the checksum.*verify .* --repair/)
    const result = await verify(folder, { repair: true })
    const left = result.parts.flatMap((part) => part.damages).filter(({ repaired }) => !repaired)
    expect({ left, state: result.state }).toEqual({ left: [], state: 'repaired' })
    expect(readFileSync(join(folder, warc)).equals(readFileSync(join(original, warc)))).toBe(true)
    expect(existsSync(join(folder, snapshot))).toBe(false)
    expect(CrawlFolder.open(folder).file).toMatchObject({
      groups: expect.any(Number) as number,
    })
    expect((await verify(folder)).state).toBe('good')
    expect(await resumeCrawl({ out: folder, onPage }).run()).toMatchObject({ pages: pages + 2 })
    expect((await verify(folder)).state).toBe('good')
  })

  it('does not touch files of another origin in the place of its own', async () => {
    const folder = copied()
    const index = filesIn(folder).find((name) => name.endsWith('.cdxj'))!
    for (const name of [index, 'items.jsonl'])
      writeFileSync(join(folder, name), 'notes of a user\n'.repeat(1000))
    const before = contentOf(folder)
    const { state, parts } = await verify(folder, { repair: true })
    expect(state).toBe('damaged')
    expect(parts.flatMap((part) => part.damages).map(({ what }) => what)).toEqual([
      expect.stringMatching(/move it away to have it rebuilt/),
      expect.stringMatching(/move it away to have it rebuilt/),
    ])
    expect(contentOf(folder)).toEqual(before)
  })

  it('works on a compacted record, and on a read-only folder', async () => {
    const folder = copied()
    await compact(folder)
    expect((await verify(folder)).state).toBe('good')
    for (const name of ['', 'record', 'warc', 'search-index']) chmodSync(join(folder, name), 0o555)
    expect((await verify(folder)).state).toBe('good')
    for (const name of ['', 'record', 'warc', 'search-index']) chmodSync(join(folder, name), 0o755)
    const segment = filesIn(folder).findLast((name) => name.endsWith('.log'))!
    truncateSync(join(folder, segment), statSync(join(folder, segment)).size - 1)
    expect((await verify(folder)).state).toBe('damaged')
  })

  it('checks a running crawl as of its last group, and does not repair it', async () => {
    const folder = copied()
    CrawlFolder.open(folder).update({ endedAt: undefined, totals: undefined })
    const lock = WriterLock.take(join(folder, 'record'))
    const [warc] = filesIn(folder)
      .filter((name) => /rankward-0-.*\.warc\.gz$/.test(name))
      .slice(-1)
    writeFileSync(
      join(folder, warc),
      Buffer.concat([readFileSync(join(folder, warc)), Buffer.from('under way')]),
    )
    const index = warc.replace('.warc.gz', '.cdxj')
    writeFileSync(join(folder, index), `${readFileSync(join(folder, index), 'utf8')}torn`)
    expect(await verify(folder)).toMatchObject({ state: 'good', pid: process.pid })
    await expect(verify(folder, { repair: true })).rejects.toMatchObject({ code: 'CRAWL_RUNNING' })
    lock.release()
  })
})

describe('a crawl that has lost something', () => {
  it('whose record has a damaged end is read by no command, and says what is missing', async () => {
    const { groups } = CrawlFolder.open(original).file
    const segment = filesIn(original).findLast((name) => name.endsWith('.log'))!
    for (const damage of [
      (at: string) => truncateSync(at, statSync(at).size - 1),
      (at: string) => truncateSync(at, 48),
      (at: string) => rmSync(at),
      (at: string) => writeFileSync(at, readFileSync(at).fill(0, statSync(at).size - 30)),
    ]) {
      const folder = copied()
      damage(join(folder, segment))
      const expected = {
        code: 'FILE_UNREADABLE',
        message: expect.stringMatching(/groups? \d+.*lost.*at least/) as string,
      }
      await expect(exportCrawl(folder, { to: join(folder, 'tables') })).rejects.toMatchObject(expected)
      await expect(resumeCrawl({ out: folder, onPage }).run()).rejects.toMatchObject(expected)
      await expect(compact(folder)).rejects.toMatchObject(expected)
      expect(() => status(folder)).toThrow(new RegExp(`at least ${groups}`))
    }
  })

  it('whose first segment is gone is not read either', async () => {
    const folder = copied()
    rmSync(
      join(
        folder,
        filesIn(folder).find((name) => name.endsWith('.log'))!,
      ),
    )
    await expect(exportCrawl(folder, { to: join(folder, 'tables') })).rejects.toThrow(/group 1 is missing/)
  })

  it('that was killed knows from a snapshot how many groups it has had', async () => {
    const folder = copied()
    CrawlFolder.open(folder).update({ endedAt: undefined, totals: undefined, groups: undefined })
    for (const name of filesIn(folder)
      .filter((each) => each.endsWith('.log'))
      .slice(1))
      rmSync(join(folder, name))
    await expect(exportCrawl(folder, { to: join(folder, 'tables') })).rejects.toThrow(
      /lost: the crawl recorded at least/,
    )
  })

  it('in an index of a WARC file, finished or not, is not resumed', async () => {
    for (const name of filesIn(original).filter((each) => each.endsWith('.cdxj'))) {
      const folder = copied()
      const at = join(folder, name)
      const text = readFileSync(at, 'utf8')
      writeFileSync(at, text.slice(text.indexOf('\n') + 1))
      await expect(resumeCrawl({ out: folder, onPage }).run()).rejects.toMatchObject({
        code: 'BAD_WARC',
        message: expect.stringContaining(`${basename(name)} is damaged`) as string,
      })
    }
  })

  it('in the first bytes of a WARC file or index is damaged, not foreign', async () => {
    const warc = filesIn(original).findLast((name) => /rankward-0-.*\.warc\.gz$/.test(name))!
    const index = warc.replace('.warc.gz', '.cdxj')
    const named = readFileSync(join(original, index)).indexOf('"filename"')
    for (const [name, at] of [
      [warc, 0],
      [warc, 1],
      [warc, 40],
      [index, named],
    ] as const) {
      const folder = copied()
      const bytes = readFileSync(join(folder, name))
      bytes.fill(0x21, at, at + 3)
      writeFileSync(join(folder, name), bytes)
      await expect(resumeCrawl({ out: folder, onPage }).run(), `${name} at ${at}`).rejects.toMatchObject({
        code: 'BAD_WARC',
        message: expect.stringContaining(`${basename(name)} in ${join(folder, 'warc')} is damaged`) as string,
      })
    }
  })
})

describe('the command', () => {
  it('prints a table, or JSON, and its exit code says whether damage can be repaired', async () => {
    const folder = copied()
    const good = await rankward(['verify', folder])
    expect(good).toMatchObject({ stderr: '', exitCode: 0 })
    expect(good.stdout).toMatch(/^part +files +size +checked +result\n/)
    expect(good.stdout).toMatch(/\nAll files are as the crawl wrote them\.\n$/)
    rmSync(join(folder, 'items.jsonl'))
    const repairable = await rankward(['verify', folder])
    expect(repairable.exitCode).toBe(4)
    expect(repairable.stdout).toMatch(/items\.jsonl: It is missing, with 42 items\. --repair repairs it\.\n/)
    const json = await rankward(['verify', folder, '--repair', '--json'])
    expect(json.exitCode).toBe(0)
    expect(JSON.parse(json.stdout)).toMatchObject({ folder, state: 'repaired' })
    truncateSync(
      join(
        folder,
        filesIn(folder).find((name) => name.endsWith('.warc.gz'))!,
      ),
      100,
    )
    expect((await rankward(['verify', folder, '--repair'])).exitCode).toBe(5)
    mkdirSync(join(root, 'empty'))
    expect(await rankward(['verify', join(root, 'empty')])).toMatchObject({ exitCode: 2 })
  })
})
