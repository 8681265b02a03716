// Time and memory of a resume until its first request, from snapshots and by a full replay. The records are
// written through the real log by write.mjs. `--pages 10000,100000,1000000 --strategy opic`; a small size
// finishes in seconds.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000,100000,1000000' },
    strategy: { type: 'string', default: 'opic' },
  },
})
const run = (name, ...args) =>
  JSON.parse(
    execFileSync(process.execPath, ['--max-old-space-size=16000', join(import.meta.dirname, name), ...args], {
      encoding: 'utf8',
    }),
  )
const sizeOf = (folder) =>
  !existsSync(folder)
    ? 0
    : readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
const shown = ({ seconds, peakMB }) => `${seconds.toFixed(2)} s, ${Math.round(peakMB)} MB`

for (const pages of values.pages.split(',')) {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-resume-'))
  try {
    const crawl = join(folder, 'crawl')
    const written = run('write.mjs', crawl, pages, values.strategy)
    const log = sizeOf(join(crawl, 'record', 'log'))
    const snapshots = sizeOf(join(crawl, 'record', 'snapshots'))
    console.log(
      `${values.strategy}, ${written.pages} pages, ${written.known} known: ${(log / written.pages).toFixed(0)} bytes of log a page, ` +
        `snapshots ${(snapshots / 1e6).toFixed(0)} MB; written in ${shown(written)}, longest stall ${written.longestStallMs.toFixed(0)} ms`,
    )
    const replayed = join(folder, 'replayed')
    cpSync(crawl, replayed, { recursive: true })
    rmSync(join(replayed, 'record', 'snapshots'), { recursive: true, force: true })
    const fast = run('open.mjs', crawl)
    const slow = run('open.mjs', replayed)
    if (fast.crawled !== slow.crawled || fast.known !== slow.known) throw new Error('the two states differ')
    console.log(
      `  from the snapshot of group ${fast.from} of ${fast.last}: ${shown(fast)}; full replay: ${shown(slow)}`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
