/** Options of a crawl that use files of the user, on workers: credentials, cookies, handlers, own hosts, names of archives. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCrawl } from '../src/cluster/crawl/create-crawl.ts'
import { runWorker } from '../src/cluster/crawl/start-worker.ts'
import type { CrawlOptions } from '../src/crawler/crawler.ts'
import { libraryRows, localOptions, shownOption } from '../src/crawler/options/option-table.ts'
import { overlaps } from './support/access-log.ts'
import { natsNote, withoutNats } from './support/nats-server.ts'
import { pageWith, type SmallAnswer, type SmallPage } from './support/small-web.ts'
import { WorkedWeb } from './support/worked-web.ts'
import { calmTiming, journaledUrls, quickTiming } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const [home, own, closed, session] = ['127.8.0.1', '127.8.0.2', '127.8.0.3', '127.8.0.4']
const paths = Array.from({ length: 12 }, (_, i) => `/${i}`)
const secret = 'Basic YWxpY2U6b3BlbiBzZXNhbWU='

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, 0o600)
  return path
}

it('options that shards cannot have are those of the documents', () => {
  const text = readFileSync(new URL('../docs/reference/cluster.md', import.meta.url), 'utf8')
  const section = text.slice(text.indexOf('### What is refused'), text.indexOf('### Files of workers'))
  const rows = [...section.matchAll(/^\| `(--[^`]+)` \| (.*) \|$/gm)].map(
    ([, option, why]) => `${option} ${why}`,
  )
  const refused = [...localOptions].map(
    ([name, why]) => `${shownOption(libraryRows.get(name)?.cli ?? name)} ${why}`,
  )
  expect(rows.toSorted()).toEqual(refused.toSorted())
})

describe.skipIf(withoutNats)(`workers with files of the user${natsNote}`, () => {
  let worked: WorkedWeb
  const cookieHeaders: (string | undefined)[] = []

  beforeAll(async () => {
    const pages = (page: (path: string) => SmallPage): Record<string, SmallPage> =>
      Object.fromEntries(['/', ...paths].map((path) => [path, page(path)]))
    const links = (site: string): string[] => ['/', ...paths].map((path) => `http://${site}:PORT${path}`)
    const only =
      (isAllowed: (request: IncomingMessage) => boolean, page: string) =>
      (_before: number, request: IncomingMessage): SmallAnswer =>
        isAllowed(request) ? { body: page } : { status: 401, body: 'no' }
    worked = await WorkedWeb.start(folder, {
      [home]: { '/': pageWith('home', ...[own, closed, session].flatMap(links)) },
      [own]: pages((path) => ({ body: pageWith(`own ${path}`), afterMs: 200 })),
      [closed]: pages((path) =>
        only(({ headers }) => headers.authorization === secret, pageWith(`closed ${path}`)),
      ),
      [session]: pages((path) => (_before, { headers: { cookie } }) => {
        cookieHeaders.push(cookie)
        return { body: pageWith(`session ${path}`), headers: { 'set-cookie': 'visited=1; Path=/' } }
      }),
    })
  })
  afterAll(() => worked.stop())

  const options = (more: Partial<CrawlOptions>): CrawlOptions =>
    worked.options(`${home}/`, { wait: 0.02, ...more })

  it('send credentials and cookies, handle each page once, and give own hosts several connections, although one is killed', async () => {
    const auth = file('auth.txt', `http://${closed} basic alice:open sesame\n`)
    const cookies = file(
      'cookies.txt',
      `# Netscape HTTP Cookie File\n${session}\tFALSE\t/\tFALSE\t0\tsid\ts3cret\n`,
    )
    const onPage = file('handler.mjs', `export default (page) => [{ title: page.title }]\n`)
    const crawl = options({ auth, cookies, onPage, own: [own], connectionsPerSite: 4, warcPrefix: 'TEST' })
    const files = { auth: [auth], cookies: [cookies], onPage: [onPage] }
    const cluster = await worked.create('all', crawl, { files })
    const kept = JSON.stringify(cluster.control.state)
    for (const text of ['open sesame', 's3cret', folder]) expect(kept).not.toContain(text)
    const workers = await Promise.all([cluster.start(), cluster.start()])
    await cluster.untilFetched(10)
    await cluster.kill(workers[0])
    expect(await cluster.ended(workers[1])).toBe('finished')
    const urls = await journaledUrls(cluster.streams, worked.shards)
    expect(new Set(urls).size).toBe(urls.length)
    expect(urls).toHaveLength(1 + 3 * (1 + paths.length))
    const titles = ['own', 'closed', 'session'].flatMap((site) =>
      ['/', ...paths].map((path) => `${site} ${path}`),
    )
    const items = await worked.rows<{ item: { title: string } }>('all', 'items')
    expect(items.map(({ item }) => item.title).toSorted()).toEqual(['home', ...titles].toSorted())
    expect(new Set(cookieHeaders)).toEqual(new Set(['sid=s3cret', 'sid=s3cret; visited=1']))
    expect(overlaps(worked.web.accesses.filter(({ site }) => site === own)).length).toBeGreaterThan(0)
    expect(overlaps(worked.web.accesses.filter(({ site }) => site === closed))).toEqual([])
    const archives = readdirSync(join(folder, 'all', 'worker-1', 'warc')).filter((name) =>
      name.endsWith('.gz'),
    )
    expect(archives.length).toBeGreaterThan(0)
    const { worker } = JSON.parse(readFileSync(join(folder, 'all', 'worker-1', 'worker.json'), 'utf8')) as {
      worker: string
    }
    for (const name of archives)
      expect(name).toMatch(new RegExp(`^TEST-\\d{14}-\\d{5}-${worker}\\.warc\\.gz$`))
    await cluster.stop()
  })

  it('refuse a file that is missing, needless or not that of the crawl', async () => {
    const auth = file('one.txt', `${closed} basic alice:open sesame\n`)
    const other = file('other.txt', `${closed} basic alice:another\n`)
    const { connection } = worked
    await createCrawl({ connection, name: 'refused', shards: 1, replicas: 1, options: options({ auth }) })
    const work = (files: Readonly<Record<string, readonly string[]>>): Promise<string> =>
      runWorker({ connection, crawl: 'refused', folder: join(folder, 'refused'), timing: calmTiming, files })
    await expect(work({})).rejects.toThrow(/begun with a file for --auth.* its own copy with --auth FILE/)
    await expect(work({ auth: [other] })).rejects.toThrow(
      /other\.txt is not the file .* begun with \(--auth\)/,
    )
    await expect(work({ auth: [auth], proxies: [other] })).rejects.toThrow(/^--proxies has no effect/)
    await expect(work({ auth: ['none'] })).rejects.toThrow(/Cannot read .*none: there is no such file/)
  })

  it('end with one line if the handler of the crawl cannot be loaded', async () => {
    const onPage = file('broken.mjs', 'export default 7\n')
    const crawl = options({ onPage })
    const { connection } = worked
    await createCrawl({ connection, name: 'broken', shards: 1, replicas: 1, options: crawl })
    const files = { onPage: [onPage] }
    const work = runWorker({
      connection,
      crawl: 'broken',
      folder: join(folder, 'broken'),
      timing: quickTiming,
      files,
    })
    await expect(work).rejects.toThrow(/^Cannot use the page handler .*broken\.mjs/)
  })
})
