/**
 * npm run bench:crawl -- [options]: the cost of a page in Rankward and in other crawlers.
 *
 * Serves real pages from loopback hosts, runs each competitor with the same page budget, and compares CPU
 * seconds per page, pages per second and memory. Sets up everything on a Debian machine, in
 * node_modules/.cache. With --small: generated pages and only installed competitors, in seconds, to check
 * that the benchmark works.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { countLines, countPages, logBytes } from './access-log.mjs'
import { competitors, environment } from './competitors.mjs'
import { findNginx, installPrograms } from './debian.mjs'
import { endMeasured, measure } from './measure.mjs'
import { buildRankward, cache, preparePeers, prepareSmallWeb, prepareWeb, root } from './prepare.mjs'
import { logDelayMs, startServer } from './server.mjs'
import { markdownTable, summarize } from './table.mjs'

const usage = `npm run bench:crawl -- [options]
  --pages N         pages each competitor crawls (3000; small: 150)
  --rounds N        rounds, interleaved; medians are shown (3; small: 1)
  --concurrency N   connections of each (64)
  --only A,B        only these: ${competitors.map(({ name }) => name).join(', ')}
  --port N          where the pages are served (8480; small: any free one)
  --small           made-up pages; nothing is built, installed or downloaded
  --no-build        take Rankward as it was built last
  --json            print JSON instead of the table`

function say(text) {
  console.error(`bench: ${text}`)
}

async function main() {
  const options = readOptions()
  const scratch = mkdtempSync(join(tmpdir(), 'rankward-bench-'))
  let server
  process.on('exit', () => {
    endMeasured()
    void server?.stop()
    rmSync(scratch, { recursive: true, force: true })
  })
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => process.exit(130))

  if (!options.small) {
    if (options.build) buildRankward()
    installPrograms(say)
  }
  const peers = preparePeers({ mayInstall: !options.small, say })
  const nginx = findNginx(cache, { mayDownload: !options.small, say })
  if (nginx === undefined) {
    if (!options.small) throw new Error('Without nginx there is nothing to measure: apt-get install nginx')
    say('no nginx, so Node serves the pages: the figures show only that the benchmark works')
  }
  const { port } = options
  const { web, webFolder } = options.small
    ? await prepareSmallWeb(scratch, { port, say })
    : prepareWeb({ port: port ?? 8480, say })
  const log = join(scratch, 'access.log')
  server = await startServer({ nginx, web, webFolder, runFolder: join(scratch, 'server'), log })

  const { pages, concurrency } = options
  const setting = {
    ...peers,
    scratch,
    log,
    pages,
    pagesThere: web.pages,
    concurrency,
    start: `http://127.0.0.1:${web.port}/`,
    rankwardProgram: join(root, 'dist/bundle/main.js'),
    urlsFile: writeUrls({ webFolder, scratch, pages }),
    outFolder: join(scratch, 'out'),
  }
  const { rows, skipped } = await compare(options, setting)
  const served = { ...web, server: nginx === undefined ? 'Node' : 'nginx, 1 worker, no gzip' }
  print(options, { web: served, rows, skipped })
  await server.stop()
  process.exit(rows.some(({ runs }) => runs.some(({ problem }) => problem !== undefined)) ? 1 : 0)
}

function readOptions() {
  const value = { type: 'string' }
  const flag = { type: 'boolean', default: false }
  const { values } = parseArgs({
    options: {
      pages: value,
      rounds: value,
      concurrency: value,
      port: value,
      only: value,
      small: flag,
      'no-build': flag,
      json: flag,
      help: flag,
    },
  })
  const only = values.only?.split(',')
  const unknown = only?.filter((name) => !competitors.some((competitor) => competitor.name === name)) ?? []
  if (values.help || unknown.length > 0) {
    console.error(unknown.length > 0 ? `Unknown: ${unknown.join(', ')}\n${usage}` : usage)
    process.exit(values.help ? 0 : 2)
  }
  const count = (name, otherwise) => {
    const number = Number(values[name] ?? otherwise)
    if (!Number.isInteger(number) || number < 1) {
      console.error(`--${name}: expected a number above zero\n${usage}`)
      process.exit(2)
    }
    return number
  }
  return {
    only,
    small: values.small,
    build: !values['no-build'],
    json: values.json,
    port: values.port === undefined ? undefined : count('port'),
    pages: count('pages', values.small ? 150 : 3000),
    rounds: count('rounds', values.small ? 1 : 3),
    concurrency: count('concurrency', 64),
  }
}

/** For wrk: as many pages as the budget, evenly spaced, so that the mixture is that of the whole web. */
function writeUrls({ webFolder, scratch, pages }) {
  const urls = readFileSync(join(webFolder, 'urls.txt'), 'utf8').trim().split('\n')
  const step = Math.max(1, Math.floor(urls.length / pages))
  const file = join(scratch, 'urls.txt')
  writeFileSync(file, urls.filter((_, i) => i % step === 0).join('\n'))
  return file
}

/** Each competitor runs once per round, so that a slow minute of the machine affects all alike. */
async function compare({ only, rounds }, setting) {
  const skipped = []
  const taking = []
  for (const competitor of competitors) {
    if (only !== undefined && !only.includes(competitor.name)) continue
    const reason = competitor.missing(setting)
    if (reason === undefined) taking.push({ ...competitor, runs: [] })
    else {
      skipped.push({ name: competitor.name, title: competitor.title, reason })
      say(`skipped ${competitor.title}: ${reason}`)
    }
  }
  for (let round = 1; round <= rounds; round++) {
    for (const competitor of taking) {
      const result = await runOnce(competitor, setting)
      const { pages, cpuSeconds, wallSeconds, problem } = result
      const figures = `${pages} pages, ${cpuSeconds.toFixed(2)} CPU-s, ${wallSeconds.toFixed(2)} s`
      say(`round ${round}, ${competitor.title}: ${figures}${problem === undefined ? '' : ` – ${problem}`}`)
      competitor.runs.push(result)
    }
  }
  return { skipped, rows: taking.map((row) => summarize({ ...row, version: row.version(setting) })) }
}

async function runOnce(competitor, setting) {
  const { log, outFolder, scratch, pages, pagesThere } = setting
  rmSync(outFolder, { recursive: true, force: true })
  mkdirSync(outFolder, { recursive: true })
  await settleLog()
  const start = logBytes(log)
  const output = join(scratch, `${competitor.name}.txt`)
  const measured = await measure({
    command: competitor.command({ ...setting, outFolder: join(outFolder, 'crawl') }),
    env: environment(setting),
    cwd: outFolder,
    output,
    stopWhen: competitor.stopSignal === undefined ? undefined : () => countLines(log, start) >= pages,
    stopSignal: competitor.stopSignal,
    timeoutMs: 600_000,
  })
  await settleLog()
  const counted = countPages(log, start)
  return {
    ...measured,
    ...counted,
    problem: findProblem(measured, counted.pages, Math.min(pages, pagesThere), output),
  }
}

function settleLog() {
  return new Promise((resolve) => setTimeout(resolve, 3 * logDelayMs))
}

/** Why a run is invalid; undefined if it is valid. */
function findProblem({ exitCode, stopped, leftOver }, pages, pagesWanted, output) {
  if (leftOver > 0) return `left ${leftOver} processes behind, whose CPU time is not counted`
  if (exitCode === undefined) return 'took too long and was killed'
  if (exitCode !== 0 && !stopped) {
    const last = readFileSync(output, 'utf8').trim().split('\n').at(-1)
    return `ended with exit code ${exitCode}: ${last.slice(0, 300)}`
  }
  return pages < pagesWanted / 2 ? `fetched only ${pages} of ${pagesWanted} pages` : undefined
}

function print({ json, pages, rounds, concurrency }, { web, rows, skipped }) {
  const machine = `${cpus().length} × ${cpus()[0].model}, Node ${process.versions.node}`
  if (json) {
    const conditions = { pages, rounds, concurrency, machine, date: new Date().toISOString() }
    console.log(JSON.stringify({ conditions, web, rows, skipped }, undefined, 2))
    return
  }
  const meanKilobytes = (web.bytes / web.pages / 1000).toFixed(1)
  const packages = web.packages.map(({ name, pages }) => `${name} (${pages})`).join(', ')
  console.log(`${machine}; ${new Date().toISOString().slice(0, 10)}
${web.pages} HTML pages of ${meanKilobytes} kB on average, ${web.links} links, ${web.hosts} hosts; ${web.server}
from ${packages}
${pages} pages each, rounds: ${rounds}, connections: ${concurrency}, no delay, no robots.txt

${markdownTable(rows, 'rankward')}`)
  for (const { title, reason } of skipped) console.log(`\nSkipped: ${title} – ${reason}`)
}

await main()
