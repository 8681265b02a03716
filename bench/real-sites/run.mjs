// node bench/real-sites/run.mjs DIR [--sites cgit,gitweb] [--crawlers rankward,scrapy] [--downloads 1000] [--build dist]
//
// Crawls the sites that prepare.mjs has made in DIR, each with every crawler up to a number of downloads, and counts at a
// server in front of them (front.mjs): content among the first n downloads, downloads until 90% and 95% of the content, and content that was not
// fetched. The content of a site is what any crawl of it has fetched so far (DIR/SITE.content.json). Heavy: run nothing beside it.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Front } from './front.mjs'
import { port, sites } from './sites.mjs'

const root = new URL('../..', import.meta.url).pathname
const rankward =
  (...more) =>
  ({ start, downloads, out }) => [
    process.execPath,
    join(resolve(values.build), 'bundle/main.js'),
    ...`crawl ${start} --out ${out}/crawl --wait 0 --allow-private --follow-nofollow --no-progress --pages ${downloads} --failures ${downloads}`.split(
      ' ',
    ),
    ...more,
  ]

/** Each with its default order, one connection and no wait. Rankward follows nofollow, as the others do. */
export const crawlers = {
  rankward: rankward(),
  'breadth-first': rankward('--strategy', 'breadth-first'),
  'no-traps': rankward('--no-traps'),
  scrapy: ({ start, downloads }) =>
    `/usr/bin/python3 -m scrapy runspider ${join(root, 'bench/real-sites/scrapy_spider.py')} --nolog -a start=${start} -s CLOSESPIDER_PAGECOUNT=${downloads}`.split(
      ' ',
    ),
  wget2: ({ start, out }) =>
    `wget2 --recursive --level=0 --robots=off --tries=1 --quiet --max-threads=1 --ignore-tags=img,link,script --directory-prefix=${out} ${start}`.split(
      ' ',
    ),
}

/** What a crawl requests, in order, until it ends or has made this many requests. */
async function requestsOf(command, front, downloads) {
  front.requests = []
  const child = spawn(command[0], command.slice(1), { stdio: process.env.SHOW ? 'inherit' : 'ignore' })
  const ended = new Promise((done) => child.once('close', done))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  while (isRunning() && front.requests.length < downloads) await Promise.race([ended, pause(50)])
  if (isRunning()) child.kill('SIGKILL')
  await ended
  return front.requests.slice(0, downloads)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sites: { type: 'string', default: Object.keys(sites).join() },
    crawlers: { type: 'string', default: Object.keys(crawlers).join() },
    downloads: { type: 'string', default: '1000' },
    keep: { type: 'string' },
    build: { type: 'string', default: join(root, 'dist') },
  },
})
const [folder] = positionals.map((name) => resolve(name))
const downloads = Number(values.downloads)

for (const site of values.sites.split(',')) {
  const { host, start: path, content } = sites[site]
  const knownPath = join(folder, `${site}.content.json`)
  const known = new Set(existsSync(knownPath) ? JSON.parse(readFileSync(knownPath, 'utf8')) : [])
  const runs = []
  const front = new Front(folder, site, host)
  await front.listen()
  for (const crawler of values.crawlers.split(',')) {
    const out = mkdtempSync(join(tmpdir(), 'real-sites-'))
    const command = crawlers[crawler]({ start: `http://${host}:${port}${path}`, downloads, out })
    const requests = await requestsOf(command, front, downloads)
    rmSync(out, { recursive: true, force: true })
    if (values.keep)
      writeFileSync(
        join(values.keep, `${site}-${crawler}.txt`),
        requests.map(({ status, url }) => `${status} ${content(new URL(url)) ?? '-'} ${url}\n`).join(''),
      )
    const seen = new Set()
    const curve = requests.map(({ status, url }) => {
      const found = status === 200 ? content(new URL(url)) : undefined
      if (found !== undefined) seen.add(found)
      return seen.size
    })
    for (const one of seen) known.add(one)
    runs.push({ crawler, curve })
  }
  await front.close()
  writeFileSync(knownPath, JSON.stringify([...known]))
  const total = known.size
  const at = (curve, share) => curve.findIndex((count) => count >= share * total) + 1 || '-'
  console.log(`\n${site}: ${total} pages of content`)
  console.table(
    runs.map(({ crawler, curve }) => ({
      crawler,
      downloads: curve.length,
      ...Object.fromEntries(
        [0.1, 0.25, 0.5, 1].map((part) => [
          `at ${Math.round(part * downloads)}`,
          curve[Math.min(curve.length, Math.round(part * downloads)) - 1] ?? 0,
        ]),
      ),
      'to 90%': at(curve, 0.9),
      'to 95%': at(curve, 0.95),
      'not fetched': total - (curve.at(-1) ?? 0),
    })),
  )
}
