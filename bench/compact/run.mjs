// How much smaller does `rankward compact` make the record of a continuous crawl, in what time and memory, and how long
// does a resume take before and after? `--pages 20000 --looks 10,50 --rates 1,40 --changes 5` (looks for each page; looks
// per second; percentages of looks that find a change); a small size finishes in seconds.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '20000' },
    looks: { type: 'string', default: '10,50' },
    rates: { type: 'string', default: '1,40' },
    changes: { type: 'string', default: '5' },
  },
})
const run = (name, ...args) =>
  JSON.parse(execFileSync(process.execPath, [join(import.meta.dirname, name), ...args], { encoding: 'utf8' }))
const round = (value, digits = 1) => Number(value.toFixed(digits))
const rows = []
const lists = [values.rates, values.changes, values.looks].map((list) => list.split(','))
for (const rate of lists[0]) {
  for (const [percent, looksEach] of lists[1].flatMap((each) => lists[2].map((looks) => [each, looks]))) {
    const folder = mkdtempSync(join(tmpdir(), 'rankward-compact-'))
    try {
      const crawl = join(folder, 'crawl')
      const { looks, groups } = run('write.mjs', crawl, values.pages, looksEach, rate, percent)
      const before = run('../resume/open.mjs', crawl)
      const done = run('compact.mjs', crawl)
      const after = run('../resume/open.mjs', crawl)
      if (before.crawled !== after.crawled || before.known !== after.known)
        throw new Error('the states differ')
      const again = run('compact.mjs', crawl)
      rows.push({
        'looks/s': rate,
        '% changed': percent,
        looks,
        groups,
        'MB before': round(done.bytesBefore / 1e6),
        'MB after': round(done.bytesAfter / 1e6),
        ratio: round(done.bytesBefore / done.bytesAfter, 2),
        'bytes a look': `${round(done.bytesBefore / looks, 0)} → ${round(done.bytesAfter / looks, 0)}`,
        'compact, s': round(done.seconds, 2),
        'CPU s': round(done.cpuSeconds, 2),
        'peak MB': round(done.peakMB, 0),
        'resume before, s': round(before.seconds, 2),
        'resume after, s': round(after.seconds, 2),
        'again, s': round(again.seconds, 3),
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}
console.table(rows)
