// npm start: the main job, with all of its own set-up. A web is generated and crawled by several strategies, and how much
// of its importance each holds after how many pages is shown.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const run = (command, args) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
const rankward = (...args) => {
  console.log(`\n$ npx rankward ${args.map((arg) => (/[\s*%]/.test(arg) ? `'${arg}'` : arg)).join(' ')}`)
  run(process.execPath, [join('dist', 'cli', 'main.js'), ...args])
}

run(process.execPath, ['scripts/setup.mjs'])
if (process.argv.length > 2) {
  run(process.execPath, [join('dist', 'cli', 'main.js'), ...process.argv.slice(2)])
  process.exit(0)
}
mkdirSync('out', { recursive: true })
const web = join('out', 'web.rwg')
rankward('graph', 'generate', '--pages', '100000', '--out', web)
rankward('graph', 'pagerank', web, '--top', '5')
rankward(
  'simulate',
  web,
  '--strategy',
  'breadth-first,backlink-count,opic,larger-sites-first,rankmass,exact-rankmass',
  '--hot',
  'top 1%',
)
console.log(
  '\nNext: `npx rankward simulate --help`, `npx rankward strategies`, or your own graph in place of out/web.rwg.',
)
