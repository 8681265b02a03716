/**
 * A recorded crawl, kept byte for byte: what every reader says about it, and the state that a resume restores, stay the same while the
 * code is rebuilt. After a deliberate change of the record's form, `GOLDEN=new npx vitest run test/golden-record.test.ts` makes it again;
 * `GOLDEN=answers` makes only the answers again.
 */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { crawl, recrawl } from '../src/crawler/crawler.ts'
import { verify } from '../src/crawler/read/verify/verify.ts'
import { answersOf, restoredParts } from './support/crawl-answers.ts'
import { pageWith, serveSmall } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const golden = join(import.meta.dirname, 'golden')
const stored = join(golden, 'crawl')
const answersFile = join(golden, 'answers.json')
/** When its answers were read. */
const readMs = Date.UTC(2027, 0, 1)
/** Longer answers are kept as their digests. */
const charactersMax = 20_000

/** A crawl with everything on: copies, near-duplicates, redirects, errors, robots.txt, sitemap, requisites, items, a second round. */
async function made(out: string): Promise<void> {
  const words = (seed: string): string =>
    Array.from({ length: 60 }, (_, i) => `${seed}${(i * 7) % 31} page words`).join(' ')
  const image = { body: 'GIF89a', headers: { 'content-type': 'image/gif' } }
  const web = await serveSmall({
    '127.41.0.1': {
      '/robots.txt': {
        body: 'User-agent: *\nDisallow: /private\nSitemap: http://127.41.0.1:PORT/sitemap.xml\n',
        headers: { 'content-type': 'text/plain' },
      },
      '/sitemap.xml': {
        body: '<urlset><url><loc>http://127.41.0.1:PORT/listed</loc></url></urlset>',
        headers: { 'content-type': 'application/xml' },
      },
      '/': `${pageWith('home', '/a', '/b', '/copy', '/near', '/old', '/loop', '/private/x', '/missing')}<img src=/i.gif><a href="http://127.41.0.2:PORT/">other</a><a rel=nofollow href=/n>n</a>`,
      '/a': (before) => `<title>a</title><p>${words(before === 0 ? 'first' : 'second')}<a href=/b>b</a>`,
      '/b': `<title>b</title><p>${words('b')}<a href=/>home</a>`,
      '/copy': `<title>b</title><p>${words('b')}<a href=/>home</a>`,
      '/near': `<title>near</title><p>${words('b')} and more<a href=/>home</a>`,
      '/old': { status: 301, headers: { location: '/b' } },
      '/loop': { status: 302, headers: { location: '/loop' } },
      '/listed': { body: `<p>${words('listed')}`, headers: { 'content-type': 'text/html', etag: '"1"' } },
      '/i.gif': image,
    },
    '127.41.0.2': {
      '/': `<title>other</title><p>${words('other')}<a href="http://127.41.0.1:PORT/">back</a>`,
    },
  })
  try {
    const options = {
      seeds: [web.url('127.41.0.1/')],
      out,
      scope: 'any',
      allowPrivate: true,
      wait: 0,
      threads: 1,
      sitemap: true,
      requisites: true,
    } as const
    await crawl({ ...options, onPage: (page) => ({ url: page.url, title: page.title }) }).run()
    await recrawl({ out, onPage: (page) => ({ url: page.url, title: page.title }) }).run()
  } finally {
    await web.close()
  }
}

/** As text: typed arrays and maps as lists, long values as digests, and the folder by a name of its own. */
function plain(answers: object, folder: string): Record<string, unknown> {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, each: unknown) =>
      ArrayBuffer.isView(each)
        ? Array.from(each as Uint8Array)
        : each instanceof Map || each instanceof Set
          ? [...(each as Iterable<unknown>)]
          : typeof each === 'number' && !Number.isFinite(each)
            ? String(each)
            : each,
    ) ?? 'undefined'
  return Object.fromEntries(
    Object.entries(answers).map(([name, value]) => {
      const all = text(value).replaceAll(folder, 'GOLDEN')
      const isLong = all.length > (typeof value === 'string' ? 1000 : charactersMax)
      return [name, isLong ? `sha256 ${createHash('sha256').update(all).digest('hex')}` : JSON.parse(all)]
    }),
  )
}

async function readAll(folder: string): Promise<Record<string, unknown>> {
  const answers = await answersOf(folder, readMs)
  return plain({ ...answers, restored: await restoredParts(folder) }, folder)
}

if (process.env['GOLDEN'] === 'new') {
  rmSync(stored, { recursive: true, force: true })
  // Its totals name the folder as it was given.
  process.chdir(folder)
  await made('crawl')
  cpSync('crawl', stored, { recursive: true })
}
// After a deliberate change of what readers say, or of the states of a snapshot: the record stays.
if (process.env['GOLDEN'] !== undefined) {
  const copy = join(folder, 'new')
  cpSync(stored, copy, { recursive: true })
  writeFileSync(answersFile, `${JSON.stringify(await readAll(copy), undefined, 1)}\n`)
}

it('says what it said when it was recorded, and a resume restores the same state', async () => {
  expect(existsSync(answersFile)).toBe(true)
  const copy = join(folder, 'copy')
  cpSync(stored, copy, { recursive: true })
  expect(await verify(copy)).toMatchObject({ state: 'good' })
  const expected = JSON.parse(readFileSync(answersFile, 'utf8')) as Record<string, unknown>
  const answers = await readAll(copy)
  for (const [name, answer] of Object.entries(expected))
    expect({ [name]: answers[name] }).toEqual({ [name]: answer })
  expect(Object.keys(answers)).toEqual(Object.keys(expected))
})
