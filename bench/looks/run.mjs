// A continuous crawl of a small web whose pages and links change all the time, for an hour: how does its memory grow, what does it request
// on top of --rate, how large is its record, and do `changes`, `export` and `verify` agree with the server's log, before and after a
// compaction? Prints rows of memory by thread, then these figures. `--minutes 60 --pages 300 --rate 20 --samples 12`; a small size finishes
// in seconds. `--folder F` keeps the crawl; `--collect` collects garbage before each sample, so that heaps are what is live.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compare, isPage } from './compare.mjs'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    pages: { type: 'string', default: '300' },
    rate: { type: 'string', default: '20' },
    samples: { type: 'string', default: '12' },
    strategy: { type: 'string', default: 'exact-rankmass' },
    collect: { type: 'boolean', default: false },
    folder: { type: 'string' },
  },
})
const seconds = 60 * Number(values.minutes)
const cli = join(import.meta.dirname, '..', '..', 'dist', 'bundle', 'main.js')
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'rankward-looks-'))
mkdirSync(folder, { recursive: true })
const [crawl, log, samples] = ['crawl', 'log.jsonl', 'samples.jsonl'].map((name) => join(folder, name))

const server = spawn(process.execPath, [join(import.meta.dirname, 'changing-web.mjs'), values.pages, log], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [port] = await once(server.stdout, 'data')
  await crawled(`http://127.0.0.1:${String(port).trim()}/`)
} finally {
  server.kill()
}
printMemory()
printRequests()
const before = agreed('the record')
const recorded = recordBytes()
run('compact', crawl)
agreed('the compacted record')
const perLook = (bytes) => (bytes / before.looks).toFixed(0)
console.log(
  `${before.looks} looks, ${before.changes} changes; the record takes ${perLook(recorded)} bytes a look, compacted ${perLook(recordBytes())}`,
)
if (values.folder === undefined) rmSync(folder, { recursive: true })

async function crawled(seed) {
  const sampler = ['--require', join(import.meta.dirname, 'memory-sampler.cjs')]
  const polite = [
    '--wait',
    '0',
    '--set',
    'waitPerAddress=0',
    '--rest',
    '1',
    '--scope',
    'any',
    '--allow-private',
  ]
  const choice = ['--strategy', values.strategy, '--rate', `${values.rate}/s`]
  const options = ['--out', crawl, '--continuous', ...choice, '--no-progress', ...polite]
  const sampleMs = (1000 * seconds) / Number(values.samples) / (values.collect ? 2 : 60)
  const child = spawn(process.execPath, [...sampler, cli, 'crawl', seed, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      SAMPLES: samples,
      SAMPLE_MS: String(sampleMs),
      ...(values.collect && { COLLECT: '1' }),
    },
  })
  const ended = once(child, 'close')
  await once(server.stdout, 'data')
  // Not --time, which cancels requests that the server has already logged.
  const timer = setTimeout(() => child.kill('SIGTERM'), 1000 * seconds)
  const [code] = await ended
  clearTimeout(timer)
  if (code !== 130) throw new Error(`the crawl ended with code ${code}`)
}

function run(...args) {
  return execFileSync(process.execPath, [cli, ...args], { encoding: 'utf8' })
}

function linesOf(path) {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

/** A row shows the least of each figure between two rows: garbage only ever adds to it. */
function printMemory() {
  const rows = linesOf(samples)
  const count = Number(values.samples)
  const threads = [...new Set(rows.map(({ threadId }) => threadId))]
  const columns = ['heapTotal', 'heapUsed', 'arrayBuffers'].map((name) => name.padStart(14)).join('')
  console.log(`MB, least of each interval; thread 0 is the main one\nminutes thread     rss${columns}`)
  for (let i = 0; i < count; i++) {
    for (const thread of threads) {
      const from = (i * seconds) / count
      const during = rows.filter(
        (row) => row.threadId === thread && row.seconds >= from && row.seconds < from + seconds / count,
      )
      if (during.length === 0) continue
      const least = (name) => (Math.min(...during.map((row) => row[name])) / 1e6).toFixed(1)
      const cells = ['heapTotal', 'heapUsed', 'arrayBuffers'].map((name) => least(name).padStart(14)).join('')
      const minutes = ((from + seconds / count) / 60).toFixed(1)
      console.log(`${minutes.padStart(7)} ${String(thread).padStart(6)} ${least('rss').padStart(7)}${cells}`)
    }
  }
}

function printRequests() {
  const entries = linesOf(log)
  const pages = entries.filter(isPage).length
  const others = entries.filter((entry) => !isPage(entry))
  const counted = ['robots.txt', 'sitemap.xml', 'feed.xml'].map(
    (name) => `${name} ${others.filter(([, url]) => url.endsWith(name)).length}`,
  )
  console.log(
    `${pages} requests for pages, ${others.length} besides (${((100 * others.length) / pages).toFixed(2)}%): ${counted.join(', ')}`,
  )
}

function agreed(what) {
  run('verify', crawl)
  const { differences, ...counts } = compare(cli, crawl, log)
  console.log(`${what}: ${differences.length} differences from the log`)
  for (const difference of differences.slice(0, 20)) console.log(difference.slice(0, 500))
  if (differences.length > 0) process.exitCode = 1
  return counts
}

function recordBytes() {
  const names = readdirSync(join(crawl, 'record'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return names.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
