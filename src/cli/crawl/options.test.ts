import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../crawler/options/crawl-settings.ts'
import { configKeys, configOf } from './config.ts'
import type { CrawlCliOptions } from '../../crawler/options/crawl-options.ts'
import { flagOf } from '../../lib/option-table.ts'
import { options, shownOption, type OptionName } from '../../crawler/options/option-table.ts'
import { checkContradictions, checkDependent, mergedOptions } from './options.ts'
import { typedOptions, withCrawlOptions } from './options.ts'
import { requestOf, rulesOf } from './request.ts'

function typed(...args: string[]): CrawlCliOptions {
  const command = withCrawlOptions(new Command('crawl'))
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  command.parse(args, { from: 'user' })
  return typedOptions(command)
}

const config = (json: unknown): CrawlCliOptions => configOf(JSON.stringify(json), 'my.json').options

/** For each option: what is typed, the same in a file, and what the crawl is told. */
const table: Record<OptionName, [typed: string[], json: unknown, meaning: unknown]> = {
  out: [['--out', 'a'], 'a', 'a'],
  seedsFile: [['--seeds-file', 'f'], 'f', 'f'],
  sitemap: [['--sitemap'], true, true],
  coverageOf: [['--set', 'coverageOf=web'], 'web', 'web'],
  continuous: [['--continuous'], true, true],
  rate: [['--rate', '50/h'], '50/h', 1200],
  recrawlPolicy: [['--recrawl-policy', 'mass'], 'mass', 'mass'],
  rest: [['--rest', '2h'], '2h', 7200],
  change: [['--set', 'change=text'], 'text', 'text'],
  cost: [['--set', 'cost=bytes'], 'bytes', 'bytes'],
  scope: [['--scope', 'domain'], 'domain', 'domain'],
  include: [
    ['--include', '/a/**', '--include', '/b/**'],
    ['/a/**', '/b/**'],
    ['/a/**', '/b/**'],
  ],
  exclude: [['--exclude', '/x'], '/x', ['/x']],
  accept: [['--accept', 'text/html,.pdf'], ['text/html,.pdf'], ['text/html,.pdf']],
  reject: [['--reject', 'image/*'], 'image/*', ['image/*']],
  ignoreRel: [['--ignore-rel', 'ugc'], 'ugc', ['ugc']],
  linksFrom: [['--links-from', 'main,article'], 'main,article', ['main,article']],
  maxDepth: [['--max-depth', '3'], 3, 3],
  maxPagesPerSite: [['--max-pages-per-site', '100'], 100, 100],
  topic: [['--topic', 'solar energy'], 'solar energy', 'solar energy'],
  topicHot: [['--set', 'topicHot=title:sun'], 'title:sun', 'title:sun'],
  likeness: [['--set', 'likeness=inner'], 'inner', 'inner'],
  titleWeight: [['--set', 'titleWeight=2'], 2, 2],
  language: [['--language', 'en'], 'en', 'en'],
  idf: [['--set', 'idf=i.tsv'], 'i.tsv', 'i.tsv'],
  scorer: [['--scorer', 's.ts'], 's.ts', 's.ts'],
  scorerTime: [['--set', 'scorerTime=2s'], '2s', 2],
  onPage: [['--on-page', 'h.ts'], 'h.ts', 'h.ts'],
  items: [['--items', '-'], '-', '-'],
  onPageTime: [['--set', 'onPageTime=2s'], '2s', 2],
  onPageThreads: [['--set', 'onPageThreads=2'], 2, 2],
  pages: [['--pages', '1_000'], 1000, 1000],
  failures: [['--failures', '500'], 500, 500],
  coverage: [['--coverage', '95%'], '95%', 0.95],
  time: [['--time', '15m'], '15m', 900],
  bytes: [['--bytes', '2GiB'], 2 ** 31, 2 ** 31],
  requisites: [['--requisites'], true, true],
  requisiteFiles: [['--set', 'requisiteFiles=500'], 500, 500],
  requisiteBytes: [['--set', 'requisiteBytes=1GB'], '1GB', 1e9],
  render: [['--render', 'auto'], 'auto', 'auto'],
  renderInclude: [['--render-include', '/app/**'], ['/app/**'], ['/app/**']],
  renderExclude: [['--render-exclude', '/docs/**'], ['/docs/**'], ['/docs/**']],
  renderPages: [['--render-pages', '100'], 100, 100],
  renderShare: [['--render-share', '0.5'], 0.5, 0.5],
  renderTime: [['--render-time', '20s'], '20s', 20],
  renderNoSandbox: [['--render-no-sandbox'], true, true],
  renderers: [['--set', 'renderers=3'], 3, 3],
  renderBurst: [['--set', 'renderBurst=4'], 4, 4],
  renderChromium: [['--set', 'renderChromium=/opt/chrome'], '/opt/chrome', '/opt/chrome'],
  strategy: [['--strategy', 'opic'], 'opic', 'opic'],
  frontier: [['--set', 'frontier=mercator'], 'mercator', 'mercator'],
  damping: [['--set', 'damping=0.9'], 0.9, 0.9],
  every: [['--set', 'every=10'], 10, 10],
  demoteSpam: [['--set', 'demoteSpam=0.9'], 0.9, 0.9],
  patience: [['--patience', '0.25'], 0.25, 0.25],
  seed: [['--set', 'seed=7'], 7, 7],
  trust: [['--trust', 't.tsv'], 't.tsv', 't.tsv'],
  historicalScores: [['--set', 'historicalScores=h.tsv'], 'h.tsv', 'h.tsv'],
  wait: [['--wait', '2.5'], 2.5, 2.5],
  waitFactor: [['--set', 'waitFactor=10'], 10, 10],
  waitPerAddress: [['--set', 'waitPerAddress=0'], 0, 0],
  perConnection: [['--set', 'perConnection=5'], 5, 5],
  connections: [['--connections', '8'], 8, 8],
  robotsTxt: [['--no-robots-txt'], false, false],
  purpose: [['--purpose', 'train-ai'], 'train-ai', 'train-ai'],
  includeOptedOut: [['--include-opted-out'], true, true],
  traps: [['--no-traps'], false, false],
  followNofollow: [['--follow-nofollow'], true, true],
  userAgent: [['--user-agent', 'Me/1'], 'Me/1', 'Me/1'],
  contact: [['--contact', 'a@b.example'], 'a@b.example', 'a@b.example'],
  header: [['--header', 'A: b'], ['A: b'], [['A', 'b']]],
  own: [['--own', 'a.org,*.b.org'], 'a.org,*.b.org', ['a.org,*.b.org']],
  connectionsPerSite: [['--set', 'connectionsPerSite=8'], 8, 8],
  sign: [['--sign', 'bot.key'], 'bot.key', 'bot.key'],
  signatureAgent: [
    ['--signature-agent', 'https://bot.example.org'],
    'https://bot.example.org',
    'https://bot.example.org',
  ],
  cookies: [['--cookies', 'on'], 'on', 'on'],
  archiveCookies: [['--set', 'archiveCookies=true'], true, true],
  auth: [['--auth', 'secrets.txt'], 'secrets.txt', 'secrets.txt'],
  proxy: [
    ['--proxy', 'http://p:1', '--proxy', 'http://q:1'],
    ['http://p:1', 'http://q:1'],
    ['http://p:1', 'http://q:1'],
  ],
  proxies: [['--proxies', 'f'], 'f', 'f'],
  connectTo: [['--connect-to', '::127.0.0.1:80'], ['::127.0.0.1:80'], ['::127.0.0.1:80']],
  dns: [['--set', 'dns=127.0.0.1:5353'], ['127.0.0.1:5353'], ['127.0.0.1:5353']],
  allowPrivate: [['--allow-private'], true, true],
  insecure: [['--insecure'], true, true],
  http2: [['--set', 'http2=false'], false, false],
  limitSize: [['--limit-size', '1MB'], '1MB', 1_000_000],
  limitTime: [['--limit-time', '10'], 10, 10],
  slowAfter: [['--set', 'slowAfter=5s'], '5s', 5],
  attempts: [['--attempts', '1'], 1, 1],
  retryMax: [['--set', 'retryMax=2h'], '2h', 7200],
  waitUnreachable: [['--set', 'waitUnreachable=0'], 0, 0],
  keepSessionIds: [['--set', 'keepSessionIds=true'], true, true],
  keepTracking: [['--set', 'keepTracking=true'], true, true],
  mergeIndexPages: [['--set', 'mergeIndexPages=true'], true, true],
  nearDuplicates: [['--set', 'nearDuplicates=0.95'], 0.95, 0.95],
  sortQuery: [['--set', 'sortQuery=true'], true, true],
  warc: [['--no-warc'], false, false],
  archive: [['--archive', 's3://bucket/a'], 's3://bucket/a', 's3://bucket/a'],
  archiveKeep: [['--set', 'archiveKeep=5GB'], '5GB', 5e9],
  warcSize: [['--set', 'warcSize=1GB'], '1GB', 1e9],
  warcLevel: [['--set', 'warcLevel=6'], 6, 6],
  warcPrefix: [['--set', 'warcPrefix=news'], 'news', 'news'],
  dedupAgainst: [['--set', 'dedupAgainst=/a.cdxj'], ['/a.cdxj'], ['/a.cdxj']],
  operator: [['--set', 'operator=A Library'], 'A Library', 'A Library'],
  description: [['--set', 'description=News of a day'], 'News of a day', 'News of a day'],
  collection: [['--set', 'collection=news'], 'news', 'news'],
  index: [['--set', 'index=true'], true, true],
  config: [['--config', 'c.json'], undefined, 'c.json'],
  dryRun: [['--dry-run'], true, true],
  threads: [['--threads', '2'], 2, 2],
  json: [['--json'], true, true],
  events: [['--events'], true, true],
  dashboard: [['--dashboard', '0.0.0.0:8080'], '0.0.0.0:8080', '0.0.0.0:8080'],
  dashboardToken: [['--dashboard-token', 't'], 't', 't'],
  dashboardName: [['--set', 'dashboardName=crawl.example'], 'crawl.example', ['crawl.example']],
  log: [['--log', 'l'], 'l', 'l'],
  logLevel: [['--set', 'logLevel=debug'], 'debug', 'debug'],
  progress: [['--no-progress'], false, false],
}

describe('the options of crawl', () => {
  it.each(Object.entries(table))('%s means the same on the command line and in a file', (name, row) => {
    const [args, json, meaning] = row
    expect(typed(...args)).toEqual({ [name]: meaning })
    if (json !== undefined) expect(config({ [name]: json })).toEqual({ [name]: meaning })
  })

  it('are all in the table above, and a file may have all of them but the name of a file', () => {
    expect(Object.keys(table).toSorted()).toEqual([...options.keys()].toSorted())
    expect(configKeys.toSorted()).toEqual(
      ['seeds', ...options.keys()].filter((k) => k !== 'config').toSorted(),
    )
  })

  it('reach the crawler under its names', () => {
    const library = new Set<string>()
    for (const [name, [, , meaning]] of Object.entries(table)) {
      const told = Object.entries(requestOf({ [name]: meaning }))
      const { row, library: known } = options.get(name as OptionName)!
      if (known === undefined || row.isFile === true) expect([name, told]).toEqual([name, []])
      else {
        expect([name, told.length]).toEqual([name, 1])
        expect(() =>
          settingsOf({
            seeds: ['https://a.org/'],
            topic: 'a',
            onPage: 'handler.ts',
            continuous: true,
            ...(name.startsWith('requisite') ? { requisites: true, out: 'crawl' } : {}),
            ...(name === 'archiveKeep' ? { archive: 's3://bucket/a' } : {}),
            ...(name.startsWith('render') ? { render: 'auto' } : {}),
            ...(name === 'archiveCookies' ? { cookies: 'on' } : {}),
            ...(name === 'sign' ? { signatureAgent: 'https://bot.example.org' } : {}),
            ...(name === 'signatureAgent' ? { sign: 'bot.key' } : {}),
            ...(name === 'includeOptedOut' ? { purpose: 'search' } : {}),
            ...(name === 'connectionsPerSite' ? { own: ['a.org'] } : {}),
            ...Object.fromEntries(told),
          }),
        ).not.toThrow()
        library.add(told[0][0])
      }
    }
    expect([...library]).toEqual(expect.arrayContaining(['seconds', 'limitBytes', 'headers', 'connections']))
    expect(requestOf({ time: 8, followNofollow: true })).toEqual({ seconds: 8, obeyNofollow: false })
    expect(rulesOf({ keepTracking: true, sortQuery: true })).toEqual({
      sessionIds: true,
      trackingParameters: false,
      indexPages: false,
      sortedQuery: true,
    })
  })

  it('can be turned off by their name with no- where that makes sense', () => {
    expect(typed('--set', 'nearDuplicates=false')).toEqual({ nearDuplicates: false })
    expect(typed('--set', 'nearDuplicates=false', '--set', 'nearDuplicates=0.8')).toEqual({
      nearDuplicates: 0.8,
    })
    expect(config({ nearDuplicates: false })).toEqual({ nearDuplicates: false })
    expect(requestOf({ nearDuplicates: false }).nearDuplicates).toBe(false)
    expect(() => config({ nearDuplicates: true })).toThrow('Expected a number between 0.5 and 1.')
    expect(typed()).toEqual({})
  })

  it('are all explained in docs/reference/crawl.md', () => {
    const page = readFileSync(new URL('../../../docs/reference/crawl.md', import.meta.url), 'utf8')
    const shown = [...options.keys()].map(shownOption)
    expect(shown.filter((option) => !new RegExp(`${option}\\b(?!-)`).test(page))).toEqual([])
  })

  it('have their names in the library there, where those differ', () => {
    const page = readFileSync(new URL('../../../docs/reference/crawl.md', import.meta.url), 'utf8')
    const others = [...options].flatMap(([name, { library = name }]) => (library === name ? [] : [library]))
    expect(others.length).toBeGreaterThan(5)
    expect(others.filter((name) => !new RegExp(`\\| .*\`${name}[\`:]`).test(page))).toEqual([])
  })

  it('are taken from the config file shown there', () => {
    const page = readFileSync(new URL('../../../docs/reference/crawl.md', import.meta.url), 'utf8')
    const [, text] = /```json\n([\s\S]*?)```/.exec(page) ?? []
    expect(configOf(text, 'my.json')).toMatchObject({
      seeds: ['https://example.org/', 'https://example.net/docs/'],
      options: { coverage: 0.95, time: 7200, warc: false },
    })
  })

  it('are flags with dashes', () => {
    expect(flagOf('maxPagesPerSite')).toBe('--max-pages-per-site')
    expect(typed()).toEqual({})
  })

  it.each([
    [['--json', '--events'], '--json and --events'],
    [['--no-warc', '--set', 'warcSize=1GB'], '--no-warc and --set warcSize'],
    [['--no-warc', '--set', 'warcLevel=1'], '--no-warc and --set warcLevel'],
    [['--no-warc', '--set', 'warcPrefix=a'], '--no-warc and --set warcPrefix'],
    [['--no-warc', '--set', 'dedupAgainst=a.cdxj'], '--no-warc and --set dedupAgainst'],
    [['--no-warc', '--set', 'archiveCookies=true'], '--no-warc and --set archiveCookies'],
    [['--no-warc', '--set', 'operator=a'], '--no-warc and --set operator'],
    [['--no-warc', '--set', 'description=a'], '--no-warc and --set description'],
    [['--no-warc', '--set', 'collection=a'], '--no-warc and --set collection'],
    [['--proxy', 'http://a:1', '--set', 'dns=127.0.0.1'], '--proxy and --set dns'],
    [['--proxy', 'http://a:1', '--connect-to', 'a:80:b:80'], '--proxy and --connect-to'],
    [['--proxies', 'a.txt', '--set', 'dns=127.0.0.1'], '--proxies and --set dns'],
    [['--proxies', 'a.txt', '--connect-to', 'a:80:b:80'], '--proxies and --connect-to'],
    [['--dry-run', '--events'], '--dry-run and --events'],
  ])('%j contradict each other', (args, named) => {
    expect(() => checkContradictions(typed(...args))).toThrow(named)
  })

  it('say nothing in a file where they have their default there', () => {
    expect(() =>
      checkContradictions(config({ warc: true, warcSize: '1GB', json: false, events: true })),
    ).not.toThrow()
  })

  it('that need another one are refused on the command line, and may stand in a file', () => {
    expect(() => checkDependent(typed('--set', 'logLevel=debug'))).toThrow('--set logLevel needs --log.')
    expect(() => checkDependent(typed('--set', 'logLevel=debug'), config({ log: 'a' }))).not.toThrow()
    expect(() => checkDependent({}, config({ logLevel: 'debug' }))).not.toThrow()
  })

  it('on the command line win over the file, and over what contradicts them there', () => {
    expect(mergedOptions(config({ pages: 5, wait: 2, json: true }), typed('--pages', '7'))).toEqual({
      pages: 7,
      wait: 2,
      json: true,
    })
    expect(mergedOptions(config({ warcSize: 5, warcLevel: 9 }), typed('--no-warc'))).toEqual({ warc: false })
    expect(mergedOptions(config({ json: true }), typed('--events'))).toEqual({ events: true })
  })
})

describe('a config file', () => {
  it.each([
    ['{"pges": 3}', 'my.json:1: there is no option "pges". Did you mean "pages"?'],
    ['{"max-depth": 3}', 'my.json:1: there is no option "max-depth". Did you mean "maxDepth"?'],
    [
      '{"frobnicate": 3}',
      'my.json:1: there is no option "frobnicate". The keys are the names of the options: see `rankward crawl --help-all`.',
    ],
    ['{"config": "b.json"}', /there is no option "config"/],
    ['{"pages": "3"}', 'my.json:1: "pages" is a string, "3". Expected a whole number of at least 1.'],
    ['{"pages": 0}', 'my.json:1: "pages" is a number, 0. Expected a whole number of at least 1.'],
    ['{"wait": null}', 'my.json:1: "wait" is null. Expected a number of at least 0.'],
    ['{"sitemap": "yes"}', 'my.json:1: "sitemap" is a string, "yes". Expected true or false.'],
    ['{"include": [1]}', /"include" is an array, \[1\]\. Expected a pattern for a path such as/],
    ['{"time": true}', /"time" is a boolean, true\. Expected a time above 0 such as/],
    ['{"seeds": "a"}', 'my.json:1: "seeds" is a string, "a". Expected an array of URLs.'],
    ['[]', 'my.json: expected a JSON object of options, not an array.'],
    ['null', 'my.json: expected a JSON object of options, not null.'],
    ['{"pages": 3,', /^my\.json:1: not valid JSON: [^\n]+$/],
    ['', /^my\.json:1: not valid JSON: [^\n]+$/],
  ])('%s is refused in one line', (text, line) => {
    expect(() => configOf(text, 'my.json')).toThrow(line)
    expect(() => configOf(text, 'my.json')).toThrow(expect.objectContaining({ code: 'BAD_CONFIG' }))
  })

  it('may have comments and trailing commas; a mistake has its line, and further ones are counted', () => {
    expect(configOf('{ // five\n "pages": 5,\n}', 'my.json').options).toEqual({ pages: 5 })
    expect(() => configOf('{\n "pages": 0,\n "wiat": 1,\n "sitemap": 1 }', 'my.json')).toThrow(
      /^my\.json:2: "pages" .* at least 1\. 2 more: see `rankward check my\.json`\.$/,
    )
  })

  it('may start with a byte order mark', () => {
    expect(configOf('\uFEFF{"seeds": ["a.org"]}', 'my.json')).toEqual({ seeds: ['a.org'], options: {} })
  })
})
