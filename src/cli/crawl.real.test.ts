/** `rankward crawl` and `rankward resume` as a user runs them, on a small web of this process. */
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  commandEnd,
  expectRefusal,
  interruptAgain,
  rankward,
  rankwardJson,
  startRankward,
} from '../../test/command-line.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import type { CrawlTotals } from '../crawler/options/crawl-options.ts'
import { crawlFileText, type CrawlFile } from '../crawler/record/crawl-file.ts'

const folder = temporaryFolder()
const pagesOfWeb = 60
let asked = 0

/**
 * A tree of pages, each with three below it; one is missing, one is forbidden, and all link out of the site.
 */
const server = createServer((request, response) => {
  asked++
  const page = Number(request.url?.slice(1))
  if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /7\n')
  else if (request.url === '/silent') return
  else if (Number.isNaN(page) || page === 9) response.writeHead(404).end('none')
  else {
    const below = [1, 2, 3].map((i) => 3 * page + i).filter((below) => below < pagesOfWeb)
    const links = below.map((below) => `<a href="/${below}">${below}</a>`)
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>${page}</title><p>Page ${page}</p>${links.join('')}<a href="http://b.invalid/">out</a>`,
    )
  }
})
let site = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const local = ['--allow-private', '--wait', '0', '--threads', '1']

describe.concurrent('bad input to crawl gets one line', () => {
  beforeAll(() => {
    mkdirSync(join(folder, 'taken'))
    const earlier = { rankward: '0.1.0', format: 2, id: 'x', files: {}, options: {}, totals: { pages: 1 } }
    writeFileSync(join(folder, 'taken', 'crawl.json'), crawlFileText(earlier as unknown as CrawlFile))
    writeFileSync(join(folder, 'file'), 'x')
    writeFileSync(join(folder, 'bad.json'), '{"seeds": ["a.org"], "pages": "many"}')
    writeFileSync(join(folder, 'unknown.json'), '{"maxDeth": 3}')
    writeFileSync(join(folder, 'scores.tsv'), 'https://a.org/\t1\n')
  })

  it.each([
    ['no seed', [], 2, /There is no seed: give a URL to start from/],
    ['no URL', ['foo'], 2, /"foo" is not a URL: expected one such as https:\/\/example\.org\//],
    ['ftp:', ['ftp://a.org/'], 2, /http: and https: URLs, not ftp:/],
    ['a file as a seed', ['file'], 2, /is a file\. .*--seeds-file file/],
    [
      'a seeds file that is not there',
      ['--seeds-file', 'none'],
      1,
      /Cannot read none: there is no such file/,
    ],
    ["another crawler's name", ['a.org', '--concurrency', '2'], 2, /Did you mean --connections\?/],
    ['an option without a flag', ['a.org', '--damping', '0.9'], 2, /Use --set damping=VALUE/],
    ['two kinds of output', ['a.org', '--json', '--events'], 2, /--json and --events/],
    [
      'WARC that is not written',
      ['a.org', '--no-warc', '--set', 'warcSize=1GB'],
      2,
      /--no-warc and --set warcSize/,
    ],
    [
      'a coverage that nothing guarantees',
      ['a.org', '--strategy', 'opic', '--coverage', '90%'],
      2,
      /strategy opic has none\. Strategies with a guarantee: .*exact-rankmass/,
    ],
    [
      'a sum with coverage',
      ['a.org', '--strategy', 'opic*1+rankmass*2', '--coverage', '0.9'],
      2,
      /--coverage needs a guarantee/,
    ],
    ['an unknown strategy', ['a.org', '--strategy', 'oipc'], 2, /Did you mean opic\?/],
    ['an oracle', ['a.org', '--strategy', 'omniscient'], 2, /works in `rankward simulate` only/],
    ['no history', ['a.org', '--strategy', 'historical-pagerank-zero'], 2, /--set historicalScores=FILE/],
    ['needless history', ['a.org', '--set', 'historicalScores=scores.tsv'], 2, /leave out historicalScores/],
    [
      'an unknown frontier',
      ['a.org', '--set', 'frontier=x'],
      2,
      /Expected one of two-level, mercator, webbase/,
    ],
    [
      'a bad number',
      ['a.org', '--pages', 'x'],
      2,
      /'-n, --pages <n>' argument 'x' is invalid\. Expected a whole number/,
    ],
    ['a bad time', ['a.org', '--time', '3y'], 2, /Expected a time above 0 such as 90/],
    ['a bad size', ['a.org', '--bytes', '3 apples'], 2, /Expected a size of at least 1 byte/],
    ['a coverage of 95', ['a.org', '--coverage', '95'], 2, /such as 0\.95 or 95%/],
    ['a header of our own', ['a.org', '--header', 'Host: b'], 2, /it follows from the URL/],
    ['an option with a slip', ['a.org', '--max-deep', '3'], 2, /unknown option '--max-deep'.*--max-depth/],
    [
      "another crawler's name of an option",
      ['a.org', '--delay', '3'],
      2,
      /'--delay' \(Did you mean --wait\?\)/,
    ],
    ['a config that is not there', ['--config', 'none.json'], 1, /Cannot read none\.json/],
    [
      'a config of another type',
      ['--config', 'bad.json'],
      2,
      /bad\.json:1: "pages" is a string, "many"\. Expected/,
    ],
    [
      'a config with a slip',
      ['--config', 'unknown.json'],
      2,
      /no option "maxDeth"\. Did you mean "maxDepth"\?/,
    ],
    [
      'a folder that holds a crawl',
      ['a.org', '--out', 'taken'],
      2,
      /This folder holds a crawl: rankward resume taken continues it/,
    ],
    [
      'a folder that is a file',
      ['a.org', '--out', 'file'],
      1,
      /Cannot write to file: .* is a file, not a folder/,
    ],
    ['a missing strategy', ['a.org', '--strategy', './none.ts'], 2, /none\.ts: there is no such file/],
    [
      'a missing index',
      ['a.org', '--set', 'dedupAgainst=none'],
      1,
      /none \(dedupAgainst\): there is no such/,
    ],
    ['a token without a dashboard', ['a.org', '--dashboard-token', 'file'], 2, /needs --dashboard\./],
    ['a log level without a log', ['a.org', '--set', 'logLevel=debug'], 2, /--set logLevel needs --log\./],
    ['a name without a cluster', ['a.org', '--name', 'news'], 2, /--name needs --cluster: without it, the/],
    ['shards without a cluster', ['a.org', '--shards', '8'], 2, /--shards needs --cluster/],
    ['a rate without --continuous', ['a.org', '--rate', '9/h'], 2, /--rate needs --continuous/],
    ['a rest without --continuous', ['a.org', '--rest', '1d'], 2, /--rest needs --continuous/],
    ['a folder within a file', ['a.org', '--out', 'file/x'], 1, /Cannot write to file\/x: .* is a file/],
  ] as const)('%s', async (_, args, exitCode, line) => {
    expectRefusal(await rankward(['crawl', ...args], folder), exitCode, line)
  })

  it.each([
    ['no folder', ['none'], 2, /none holds no crawl/],
    ['a folder without a crawl', ['.'], 2, /\. holds no crawl/],
    ['no argument', [], 2, /missing required argument 'folder'/],
    ['a crawl on a cluster', ['--cluster', 'a', '--name', 'news'], 2, /Did you mean cluster resume\?/],
  ] as const)('resume of %s', async (_, args, exitCode, line) => {
    expectRefusal(await rankward(['resume', ...args], folder), exitCode, line)
  })

  it.each([
    [
      'a host that does not exist',
      ['http://no-such-host.invalid/', '--contact', 'a@b.example'],
      /Does the host exist\?/,
    ],
    [
      'no listener',
      ['http://127.0.0.1:9/', '--allow-private', '--attempts', '1'],
      /Is a server running there\?/,
    ],
    [
      'a private address',
      ['http://127.0.0.1:9/', '--contact', 'a@b.example'],
      /--allow-private allows those/,
    ],
  ] as const)('%s', async (what, args, line) => {
    const out = ['--out', what.replaceAll(' ', '-'), '--threads', '1']
    const seed = args.length > 0 ? args : [`${site}/7`, '--allow-private']
    expectRefusal(await rankward(['crawl', ...seed, ...out], folder), 1, line)
  })
})

describe('a dry run', () => {
  it('fetches nothing, writes nothing, and prints a note for each assumption', async () => {
    const before = { asked, files: readdirSync(folder) }
    const { stdout, stderr, exitCode } = await rankward(['crawl', 'example.org/a', '--dry-run'], folder)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Starts from {2}https:\/\/example\.org\/a\nFollows {6}links to example\.org/)
    expect(stdout).toContain('at most 1 page per second per site')
    expect(stderr.trimEnd().split('\n')).toEqual([
      'rankward: note: https is used where no scheme was given: https://example.org/a',
      'rankward: note: no --out is given: the crawl goes to the folder crawl-example.org',
      'rankward: note: site owners cannot reach you: set --contact, such as https://example.org/bot (docs/guide/politeness.md)',
    ])
    expect({ asked, files: readdirSync(folder) }).toEqual(before)
  })

  it('resolves paths in a config file relative to the file', async () => {
    mkdirSync(join(folder, 'configs'))
    writeFileSync(join(folder, 'configs', 'seeds.txt'), 'https://b.org/\n')
    writeFileSync(
      join(folder, 'configs', 'my.json'),
      JSON.stringify({
        seeds: ['https://a.org/'],
        seedsFile: 'seeds.txt',
        out: 'crawl',
        time: '2h',
        wait: 5,
        contact: 'a@b.example',
      }),
    )
    const args = ['crawl', '--config', 'configs/my.json', '--wait', '7', '--dry-run']
    const plan = await rankwardJson<{ out: string; options: object }>(args, folder)
    expect(plan).toMatchObject({
      out: join(folder, 'configs', 'crawl'),
      options: { seeds: ['https://a.org/', 'https://b.org/'], seconds: 7200, wait: 7 },
    })
  })
})

describe('a crawl', () => {
  it('prints the totals that crawl.json has, and nothing else', async () => {
    const totals = await rankwardJson<CrawlTotals>(['crawl', `${site}/0`, '--out', 'whole', ...local], folder)
    const saved = JSON.parse(readFileSync(join(folder, 'whole', 'crawl.json'), 'utf8')) as { totals: object }
    expect(totals).toEqual(saved.totals)
    expect(totals).toMatchObject({
      stoppedBecause: 'finished',
      errors: { 'http-404': 1 },
      refusedByRobots: 1,
    })
    const ended = await rankward(['resume', 'whole'], folder)
    expect(ended).toMatchObject({ stderr: '', exitCode: 0 })
    expect(ended.stdout).toMatch(/^This crawl is finished: no page is left/)
    expectRefusal(
      await rankward(['crawl', `${site}/0`, '--out', 'whole', ...local], folder),
      2,
      /rankward resume whole/,
    )
  })

  it('prints a summary, and continues with a larger budget', async () => {
    const first = await rankward(['crawl', `${site}/0`, '--out', 'part', '--pages', '10', ...local], folder)
    expect(first).toMatchObject({ stderr: '', exitCode: 0 })
    expect(first.stdout).toMatch(/^[\d.]+% of the obtainable importance is certain: /)
    expect(first.stdout).toMatch(/\nStopped at the page budget \(--pages\)\.\n10 pages of /)
    expect(first.stdout).toContain('rankward resume part --pages 20\n')
    const again = await rankward(['resume', 'part'], folder)
    expect(again.stdout).toBe(
      'This crawl has used its budget: 10 pages. To continue: rankward resume part --pages 20\n',
    )
    const more = await rankwardJson<CrawlTotals>(['resume', 'part', '--pages', '20'], folder)
    expect(more).toMatchObject({ pages: 20, stoppedBecause: 'pages' })
    expectRefusal(await rankward(['resume', 'part', '--pages', '5'], folder), 2, /has 20 pages already/)
  })

  it('that has ended continues where a limit of pages per site is raised', async () => {
    const limited = ['crawl', `${site}/0`, '--out', 'limited', '--max-pages-per-site', '8']
    const first = await rankwardJson<CrawlTotals>([...limited, ...local], folder)
    expect(first).toMatchObject({ pages: 8, stoppedBecause: 'finished' })
    const raised = ['resume', 'limited', '--max-pages-per-site', '1000']
    const more = await rankwardJson<CrawlTotals>(raised, folder)
    expect(more).toMatchObject({ isComplete: true, refusedByLimits: 0 })
    expect(more.pages).toBeGreaterThan(30)
  })

  it('that has ended writes its items to another file, and to its own if that was moved away', async () => {
    writeFileSync(join(folder, 'handler.mjs'), 'export default ({ url }) => ({ url })')
    const handled = ['--pages', '5', '--on-page', 'handler.mjs']
    await rankwardJson<CrawlTotals>(['crawl', `${site}/0`, '--out', 'handled', ...handled, ...local], folder)
    const own = join(folder, 'handled', 'items.jsonl')
    const items = readFileSync(own, 'utf8')
    expect(items.trimEnd().split('\n')).toHaveLength(5)
    rmSync(own)
    await rankwardJson<CrawlTotals>(['resume', 'handled', '--no-progress'], folder)
    expect(readFileSync(own, 'utf8')).toBe(items)
    expect((await rankward(['resume', 'handled'], folder)).stdout).toMatch(/^This crawl has used its budget/)
    await rankwardJson<CrawlTotals>(['resume', 'handled', '--items', 'other.jsonl', '--no-progress'], folder)
    expect(readFileSync(join(folder, 'other.jsonl'), 'utf8')).toBe(items)
  })

  it('tells its events as JSON lines, the totals last', async () => {
    const args = ['crawl', `${site}/0`, '--out', 'events', '--pages', '12', '--events', ...local]
    const { stdout, exitCode } = await rankward(args, folder)
    expect(exitCode).toBe(0)
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string })
    expect(events.filter(({ kind }) => kind === 'page')).toHaveLength(12)
    expect(events.at(-1)).toMatchObject({ kind: 'totals', pages: 12 })
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'that gets %s saves what it has, ends with 130, and resumes',
    async (signal) => {
      const args = ['crawl', `${site}/0`, '--out', signal, '--allow-private', '--wait', '0.1', '--json']
      const before = asked
      const child = startRankward(args, folder)
      const ended = commandEnd(child)
      await vi.waitUntil(() => asked >= before + 5, { timeout: 600_000, interval: 20 })
      child.kill(signal)
      const { stdout, stderr, exitCode } = await ended
      expect({ stderr, exitCode }).toEqual({
        stderr: 'Finishing requests in flight; press again to stop at once.\n',
        exitCode: 130,
      })
      const totals = JSON.parse(stdout) as CrawlTotals
      expect(totals.stoppedBecause).toBe('interrupted')
      expect(totals.pages).toBeLessThan(40)
      const more = await rankwardJson<CrawlTotals>(
        ['resume', signal, '--pages', `${totals.pages + 2}`],
        folder,
      )
      expect(more.pages).toBe(totals.pages + 2)
    },
  )

  it('that gets Ctrl-C twice does not wait for requests in flight', async () => {
    const args = ['crawl', `${site}/silent`, '--out', 'twice', '--allow-private', '--limit-time', '10m']
    const before = asked
    const child = startRankward(args, folder)
    const ended = commandEnd(child)
    await vi.waitUntil(() => asked >= before + 2, { timeout: 600_000, interval: 20 })
    child.kill('SIGINT')
    await once(child.stderr, 'data')
    // An echo of the first, as npm makes one, is not a second.
    child.kill('SIGINT')
    await interruptAgain(child)
    const { stdout, stderr, exitCode } = await ended
    expect(exitCode).toBe(130)
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      'Finishing requests in flight; press again to stop at once.',
      'Stopping at once; rankward resume twice continues the crawl.',
    ])
    expect(stdout).toContain('Interrupted: all fetched pages are saved.')
    expect(stdout).toContain('1 page waits')
  })
})
