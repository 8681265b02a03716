/**
 * The competitors: for each, how to start it for a page budget, and why it cannot take part, if so.
 *
 * The same for all: one start page, the same number of connections if it can be set, no delay between
 * requests, no robots.txt, no retries. Order and depth are up to each.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { starts } from './debian.mjs'

/** The only place with Rankward's options. */
const rankwardArguments = ({ start, pages, concurrency, outFolder }) => [
  ...words('crawl --strategy breadth-first --scope any --wait 0 --allow-private --no-robots-txt'),
  ...words(`--pages ${pages} --connections ${concurrency}`),
  '--out',
  outFolder,
  start,
]

const rankward = (name, title, extra) => ({
  name,
  title,
  missing({ rankwardProgram }) {
    if (!existsSync(rankwardProgram)) return 'not built: npm run build'
    const help = spawnSync(process.execPath, [rankwardProgram, 'crawl', '--help'], { encoding: 'utf8' })
    if (help.status === 0 && /rankward crawl/.test(help.stdout)) return undefined
    const said = help.stderr.split('\n').find((line) => /error/i.test(line))
    return `\`rankward crawl\` does not start${said === undefined ? '' : `: ${said}`}`
  },
  version: ({ rankwardProgram }) => output(process.execPath, [rankwardProgram, '--version']),
  command: (run) => [process.execPath, run.rankwardProgram, ...rankwardArguments(run), ...extra],
})

/** A peer is a script beside its packages, in the cache folder. */
const peer = (name, title, script, packageName) => ({
  name,
  title,
  missing({ peersFolder }) {
    if (packageName === undefined) return undefined
    const code = `await import(${JSON.stringify(packageName)})`
    const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: peersFolder })
    return status === 0 ? undefined : `${packageName} is not installed or does not load`
  },
  version: ({ peerVersions }) => peerVersions[packageName],
  command: ({ peersFolder, start, pages, concurrency }) => [
    process.execPath,
    join(peersFolder, script),
    start,
    String(pages),
    String(concurrency),
  ],
})

/** A peer in another language, built in the cache folder if its compiler is there. */
const native = (name, title, { folder, program, version, stopSignal }) => ({
  name,
  title,
  stopSignal,
  missing({ peersFolder }) {
    return existsSync(join(peersFolder, folder, program)) ? undefined : 'its compiler is not installed'
  },
  version: () => version,
  command: ({ peersFolder, start, pages, concurrency }) => [
    join(peersFolder, folder, program),
    start,
    String(pages),
    String(concurrency),
  ],
})

const scrapy = {
  name: 'scrapy',
  title: 'Scrapy',
  missing: () =>
    spawnSync('/usr/bin/python3', ['-c', 'import scrapy']).status === 0 ? undefined : 'no python3-scrapy',
  version: () => output('/usr/bin/python3', ['-c', 'import scrapy; print(scrapy.__version__)']),
  command: ({ peersFolder }) => [
    ...words('/usr/bin/python3 -m scrapy runspider'),
    join(peersFolder, 'scrapy_spider.py'),
  ],
}

const wget2 = {
  name: 'wget2',
  title: 'wget2 -r',
  missing: () => (starts('wget2', ['--version']) ? undefined : 'no wget2'),
  version: () => /Wget2 (\S+)/.exec(output('wget2', ['--version']))?.[1],
  // It has no page limit, so it is stopped when the log has enough pages. Images and style sheets are
  // excluded.
  stopSignal: 'SIGTERM',
  command: ({ start, concurrency, outFolder }) => [
    ...words('wget2 --recursive --level=0 --span-hosts --robots=off --tries=1 --no-compression --quiet'),
    '--ignore-tags=img,link,script,iframe,embed,object,frame,input,source',
    `--max-threads=${concurrency}`,
    `--directory-prefix=${outFolder}`,
    start,
  ],
}

const wrk = {
  name: 'wrk',
  title: 'wrk (HTTP alone)',
  missing: () => (starts('wrk', ['-v']) ? undefined : 'no wrk'),
  version: () => /wrk (?:debian\/)?(\S+)/.exec(output('wrk', ['-v']))?.[1],
  // It runs for a time, not for a number of pages, and ends cleanly on SIGINT.
  stopSignal: 'SIGINT',
  command: ({ peersFolder, start, concurrency }) => [
    ...words(`wrk -t1 -c${concurrency} -d600s -s`),
    join(peersFolder, 'wrk.lua'),
    start,
  ],
}

export const competitors = [
  rankward('rankward', 'Rankward', []),
  rankward('rankward-no-warc', 'Rankward, no WARC', ['--no-warc']),
  rankward('rankward-no-traps', 'Rankward, no WARC, traps', ['--no-warc', '--no-traps']),
  // Also without the features that no peer has.
  rankward('rankward-plain', 'Rankward, no WARC, near-duplicates, traps', [
    '--no-warc',
    '--set',
    'nearDuplicates=false',
    '--no-traps',
  ]),
  peer('crawlee-cheerio', 'Crawlee CheerioCrawler', 'crawlee-cheerio.mjs', '@crawlee/cheerio'),
  peer('crawlee-http', 'Crawlee HttpCrawler', 'crawlee-http.mjs', '@crawlee/http'),
  scrapy,
  peer('spider', 'spider (Rust)', 'spider.mjs', '@spider-rs/spider-rs'),
  wget2,
  peer('bare-undici', 'bare loop: undici, htmlparser2', 'bare-undici.mjs', 'undici'),
  peer('bare-net', 'bare loop: sockets, byte search', 'bare-net.mjs'),
  native('bare-rust', 'bare loop: Rust, reqwest, lol_html', {
    folder: 'bare-rust',
    program: 'target/release/bare-rust',
  }),
  native('bare-go', 'bare loop: Go, net/http, x/net/html', { folder: 'bare-go', program: 'bare-go' }),
  // It does not end by itself while requests wait, so it is stopped when the log has enough pages.
  native('colly', 'Colly (Go)', {
    folder: 'colly',
    program: 'colly-peer',
    version: '2.2.0',
    stopSignal: 'SIGTERM',
  }),
  wrk,
]

/** The environment of every program, in addition to its arguments. */
export const environment = ({ start, pages, concurrency, urlsFile }) => ({
  BENCH_START: start,
  BENCH_PAGES: String(pages),
  BENCH_CONCURRENCY: String(concurrency),
  BENCH_URLS: urlsFile,
})

function words(text) {
  return text.split(' ')
}

function output(command, args) {
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  return `${stdout}${stderr}`.trim()
}
