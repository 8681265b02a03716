/** The search index in a crawl's folder: the same results as without it, whatever happened to its files. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { crawl, recrawl, resumeCrawl } from '../src/crawler/crawler.ts'
import { compact } from '../src/crawler/record/compact.ts'
import { builtModule } from './support/built-module.ts'
import { seededRandom } from '../src/lib/random.ts'
import { search, type SearchOptions, type SearchResults } from '../src/crawler/parts/search/search.ts'
import { rankward } from './command-line.ts'
import { ChangingWeb } from './support/changing-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const made = join(folder, 'made')
const seed = Number(process.env['SEED'] ?? 1)
const random = seededRandom(seed, 16)
const web = new ChangingWeb()
const pageCount = 40

const vocabulary = [
  ...'river rivers sea seas run running solar energy house houses of the a and'.split(' '),
  ...Array.from({ length: 300 }, (_, i) => `word${i}`),
  ...'北京 我们 naïve Straße ﬁne 𠀀'.split(' '),
]
/** Common words first: the square makes them frequent. */
const someWords = (count: number): string =>
  Array.from(
    { length: count },
    () => vocabulary[Math.floor(vocabulary.length * random.fraction() ** 2)],
  ).join(' ')

function pageHtml(page: number, words = someWords(80)): string {
  const links = Array.from({ length: 3 }, () => `<a href="/p${random.below(pageCount)}">${someWords(1)}</a>`)
  const next = `<a href="/p${page + 1}">next</a>`
  const noindex = page % 9 === 4 ? '<meta name="robots" content="noindex">' : ''
  return `<!doctype html><html lang="${page % 3 === 0 ? 'de' : 'en'}"><title>${someWords(3)}</title>${noindex}<p>${words} ${links.join(' ')} ${next}`
}

const options = { wait: 0, allowPrivate: true, threads: 2, nearDuplicates: false as const }

beforeAll(async () => {
  await web.open()
  for (let page = 0; page < pageCount; page++) web.pages.set(`/p${page}`, { html: pageHtml(page) })
  // Two pages that are nearly the same are shown once.
  const same = someWords(200)
  web.pages.set('/p20', { html: pageHtml(20, same) })
  web.pages.set('/p21', { html: pageHtml(21, `${same} wombat`) })
  await crawl({ ...options, nearDuplicates: 0.8, seeds: [web.url('/p0')], out: made, pages: 30 }).run()
  return () => web.close()
})

const questions: [string, SearchOptions][] = [
  ['river', {}],
  ['rivers running', { match: 'any' }],
  ['river running "the sea"', {}],
  ['"of the" a', { language: 'none', limit: 100 }],
  ['"river river"', { language: 'en' }],
  ['houses', { language: 'de', noindex: true, limit: 100 }],
  ['the of and a', { match: 'any', limit: 100, rankWeight: 3 }],
  ['the', { limit: 3, noindex: true }],
  ['北京 我们', { match: 'any' }],
  ['STRASSE straße fine', { match: 'any', language: 'none' }],
  ['word7 word8 word9', { match: 'any', rankWeight: 0 }],
  ['nowhere', {}],
]

/** What the search finds, with the index and without it, must be the same. */
async function expectSame(path: string, some = questions): Promise<(string | undefined)[]> {
  const notices: (string | undefined)[] = []
  for (const [words, given] of some) {
    const { notice, ...indexed } = await search(path, words, given)
    expect(indexed).toEqual(await search(path, words, { ...given, index: false }))
    notices.push(notice)
  }
  return notices
}

function copyOf(path: string): string {
  const copy = join(folder, `copy-${readdirSync(folder).length}`)
  cpSync(path, copy, { recursive: true })
  return copy
}

const indexOf = (path: string): string => join(path, 'search-index')
const filesOf = (path: string): string[] => readdirSync(indexOf(path)).toSorted()

/** Number of pages that a search read for the index. */
async function pagesRead(path: string, words = 'river'): Promise<number> {
  let pages = 0
  await search(path, words, { progress: (done) => (pages = done) })
  return pages
}

describe('a search with the index', () => {
  it('finds exactly what a search without it finds', async () => {
    const path = copyOf(made)
    expect(await expectSame(path)).toEqual(questions.map(() => undefined))
    expect(filesOf(path)).toContain('index.json')
    const { matches } = await search(path, 'wombat')
    expect(matches).toBe(1)
  })

  it('reads each page once, and only pages that are new', async () => {
    const path = copyOf(made)
    const first = await pagesRead(path)
    expect(first).toBeGreaterThanOrEqual(29)
    expect(await pagesRead(path)).toBe(0)
    expect(await pagesRead(path, 'energy')).toBe(0)
    await resumeCrawl({ out: path, pages: pageCount, threads: 1 }).run()
    const later = await pagesRead(path)
    expect(later).toBe(10)
    expect(await pagesRead(path)).toBe(0)
    await expectSame(path)
  })

  it('finds the newest version of a page, and not the one before', async () => {
    const path = copyOf(made)
    expect((await search(path, 'quokka')).matches).toBe(0)
    const before = web.pages.get('/p3')!
    const [word] = /word\d+/.exec(before.html) ?? []
    web.pages.set('/p3', { html: pageHtml(3, `quokka ${someWords(50)}`.replaceAll(word ?? '-', '')) })
    await recrawl({ out: path, restSeconds: 0, threads: 1 }).run()
    expect(await pagesRead(path)).toBe(1)
    const found = await search(path, 'quokka')
    expect(found.results.map(({ url }) => new URL(url).pathname)).toEqual(['/p3'])
    await expectSame(path)
    web.pages.set('/p3', before)
    await recrawl({ out: path, restSeconds: 0, threads: 1 }).run()
    expect((await search(path, 'quokka')).matches).toBe(0)
    await expectSame(path)
  })

  it('stays valid when the record is compacted', async () => {
    const path = copyOf(made)
    await search(path, 'river')
    await compact(path)
    expect(await pagesRead(path)).toBe(0)
    await expectSame(path)
  })

  it('is built while crawling with the option, so that the first search reads no page', async () => {
    const path = join(folder, 'kept')
    const seeds = [web.url('/p0')]
    await crawl({ ...options, seeds, out: path, pages: 20, index: true }).run()
    expect(await pagesRead(path)).toBe(0)
    expect(filesOf(path).some((name) => name.endsWith('.stems'))).toBe(true)
    await resumeCrawl({ out: path, pages: 25, threads: 1 }).run()
    expect(await pagesRead(path)).toBe(0)
    await expectSame(path)
  })

  it('finds what a running crawl has recorded', async () => {
    const path = join(folder, 'running')
    const running = crawl({ ...options, seeds: [web.url('/p0')], out: path, wait: 0.2, pages: 30 })
    let pages = 0
    for await (const _ of running) {
      if (++pages % 10 !== 0) continue
      const { notice, ...found } = await search(path, 'the of and', { match: 'any', limit: 1000 })
      expect(notice).toBeUndefined()
      expect(found.results.length).toBe(found.matches)
    }
    await expectSame(path)
  })

  it('continues after kill -9 at any page of the first build', async () => {
    const path = copyOf(made)
    const refresh = builtModule('crawler/parts/search/index/index-refresh')
    const whole = builtModule('crawler/read/whole-crawl')
    const files = builtModule('crawler/parts/search/index/index-folder')
    const killedAt = (page: number): void => {
      const program = `
        import { refreshIndex } from ${JSON.stringify(refresh)}
        import { WholeCrawl } from ${JSON.stringify(whole)}
        import { indexFolderOf } from ${JSON.stringify(files)}
        const crawl = WholeCrawl.open(${JSON.stringify(path)})
        const progress = (done) => { if (done === ${page}) process.kill(process.pid, 'SIGKILL') }
        const limits = { tokens: 300, terms: 100000 }
        await refreshIndex(crawl, indexFolderOf(crawl), { progress, isDamaged: false, withTable: true, limits })`
      const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program])
      expect(signal).toBe('SIGKILL')
    }
    for (const page of [1, 9, 5]) killedAt(page)
    const rest = await pagesRead(path)
    expect(rest).toBeLessThan(29)
    expect(rest).toBeGreaterThan(0)
    expect(new Set(await expectSame(path))).toEqual(new Set([undefined]))
    expect(filesOf(path).filter((name) => name.endsWith('.partial'))).toEqual([])
  })
})

describe('an index that is damaged', () => {
  const rebuilt = 'The search index was damaged and has been rebuilt.'
  const kinds = ['index.json', '.segment', '.table', '.stems']

  it.each(kinds)(`in %s is noticed or harmless, wherever a byte differs (seed ${seed})`, async (kind) => {
    const path = copyOf(made)
    await expectSame(path)
    const noticed = new Set<string | undefined>()
    for (let trial = 0; trial < 8; trial++) {
      const file = join(
        indexOf(path),
        filesOf(path).find((name) => name.endsWith(kind))!,
      )
      const bytes = readFileSync(file)
      // An index.json that does not begin like ours is not ours.
      const start = kind === 'index.json' ? 30 : 0
      const at = [start, bytes.length - 3][trial] ?? start + random.below(bytes.length - start)
      bytes[at] ^= 1 << random.below(8)
      writeFileSync(file, bytes)
      for (const notice of await expectSame(path, questions.slice(2, 7))) noticed.add(notice)
    }
    expect([...noticed].filter((notice) => notice !== undefined && notice !== rebuilt)).toEqual([])
    expect(noticed).toContain(rebuilt)
  })

  it.each(kinds)('by truncation of %s, or without it, is built again', async (kind) => {
    const path = copyOf(made)
    for (const damage of [(file: string) => truncateSync(file, 20), (file: string) => rmSync(file)]) {
      await search(path, 'river', { language: 'en' })
      damage(
        join(
          indexOf(path),
          filesOf(path).find((name) => name.endsWith(kind))!,
        ),
      )
      const { notice, ...found } = await search(path, 'river', { language: 'en' })
      expect(found).toEqual(await search(path, 'river', { language: 'en', index: false }))
      if (kind !== 'index.json') expect(notice).toBe(rebuilt)
    }
  })

  it('is reported in one line by the command', async () => {
    const path = copyOf(made)
    await search(path, 'river')
    for (const name of filesOf(path).filter((each) => each.endsWith('.segment')))
      truncateSync(join(indexOf(path), name), 100)
    const { stdout, stderr, exitCode } = await rankward(['search', path, 'river'])
    expect({ stderr, exitCode }).toEqual({ stderr: `${rebuilt}\n`, exitCode: 0 })
    expect(stdout).toMatch(/^\d+ of \d+ pages have: river/)
    expect((await rankward(['search', path, 'river'])).stderr).toBe('')
  })
})

describe('a folder in which no index can be kept', () => {
  it('with files that are not ours is searched without one, and they stay', async () => {
    const path = copyOf(made)
    mkdirSync(indexOf(path))
    writeFileSync(join(indexOf(path), 'notes.txt'), 'mine')
    writeFileSync(join(indexOf(path), '0123456789abcdef.segment'), 'mine too')
    const { notice, ...found } = await search(path, 'river')
    expect(notice).toMatch(/holds files that Rankward did not write \(.*\), so every page was read\.$/)
    expect(found).toEqual(await search(path, 'river', { index: false }))
    expect(filesOf(path)).toEqual(['0123456789abcdef.segment', 'notes.txt'])
  })

  it('keeps files that are not ours also beside an index', async () => {
    const path = copyOf(made)
    await search(path, 'river')
    writeFileSync(join(indexOf(path), 'notes.txt'), 'mine')
    writeFileSync(join(indexOf(path), '0123456789abcdef.segment'), 'mine too')
    await resumeCrawl({ out: path, pages: 35, threads: 1 }).run()
    expect((await search(path, 'river')).notice).toBeUndefined()
    expect(filesOf(path)).toEqual(expect.arrayContaining(['0123456789abcdef.segment', 'notes.txt']))
  })

  it('where a file has its name is searched without one', async () => {
    const path = copyOf(made)
    writeFileSync(indexOf(path), 'mine')
    const { notice, ...found } = await search(path, 'river')
    expect(notice).toMatch(/^The search index cannot be written \(.*\), so every page was read\.$/)
    expect(found).toEqual(await search(path, 'river', { index: false }))
    expect(readFileSync(indexOf(path), 'utf8')).toBe('mine')
  })

  it.skipIf(process.getuid?.() === 0)(
    'because it is read-only is searched without one (not for root, who may write anywhere)',
    async () => {
      const path = copyOf(made)
      chmodSync(path, 0o500)
      try {
        const { notice, ...found } = await search(path, 'river')
        expect(notice).toBe('The search index cannot be written (permission denied), so every page was read.')
        expect(found).toEqual(await search(path, 'river', { index: false }))
      } finally {
        chmodSync(path, 0o700)
      }
    },
  )

  it('is left as it is with --no-index', async () => {
    const path = copyOf(made)
    const { stderr, exitCode } = await rankward(['search', path, 'river', '--no-index'])
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(existsSync(indexOf(path))).toBe(false)
  })

  it('while another process writes the index is searched without it, and the lock stays', async () => {
    const path = copyOf(made)
    mkdirSync(indexOf(path))
    const holder = { host: 'another-host', boot: '', pid: 1, startTicks: '' }
    writeFileSync(join(indexOf(path), 'lock'), JSON.stringify(holder))
    const found: SearchResults = await search(path, 'river')
    expect(found.notice).toBe('Another process is writing the search index, so every page was read.')
    expect(filesOf(path)).toEqual(['lock'])
  })
})
