// npm run bench -- NAME [options]: builds and runs one benchmark at its full size.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync } from 'node:fs'

const [name, ...rest] = process.argv.slice(2)
const names = readdirSync('bench')
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
if (!names.includes(name)) {
  console.error(`Usage: npm run bench -- NAME\nBenchmarks: ${names.join(', ')}`)
  process.exit(2)
}
const run = (command, args) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
run('npx', ['--no-install', 'tsc', '-p', 'tsconfig.bench.json'])
// The built sources look for their version two folders up, as they do in dist.
copyFileSync('package.json', 'out/bench/package.json')
run(process.execPath, ['--max-old-space-size=8192', `out/bench/bench/${name}.bench.js`, ...rest])
