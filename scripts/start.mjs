// npm start: a demonstration that needs no set-up. A web is generated, served on loopback addresses and
// crawled over HTTP until 95% of its importance is certain, with a dashboard; then the crawl is exported as a
// graph and a report. On a terminal, the dashboard of the finished crawl stays open until Ctrl-C.
//
//   npm start                        the demonstration
//   npm start -- https://…           crawl this site instead
//   npm start -- COMMAND …           any other command
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const main = join('dist', 'bundle', 'main.js')
const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
const rankward = (...args) => {
  console.log(`\n$ npx rankward ${args.join(' ')}`)
  run(main, ...args)
}

run('scripts/setup.mjs')
const given = process.argv.slice(2)
const [first = ''] = given
if (/^https?:/.test(first)) {
  const out = given.includes('--out')
    ? []
    : ['--out', join('out', new URL(first).host.replace(/[^\w.-]/g, '_'))]
  rankward('crawl', ...given, ...out)
} else if (given.length > 0) run(main, ...given)
else {
  const folder = join('out', 'demo')
  rankward('demo', '--out', folder, '--dashboard', '0')
  rankward('export', folder, '--format', 'edges', '--to', join(folder, 'graph'))
  rankward('report', folder)
  if (process.stdout.isTTY) rankward('dashboard', folder, '--port', '0')
}
