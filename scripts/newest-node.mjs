// Runs the unit tests on the newest LTS release of Node, installed from the npm registry into
// node_modules/.cache. Skipped with a message if the registry is unreachable or has no build for this
// platform.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const source = join('scripts', 'newest-node')
const folder = join('node_modules', '.cache', 'newest-node')
const name = `node-${process.platform}-${process.arch}`
const version = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')).optionalDependencies[name]
const program = join(folder, 'node_modules', name, 'bin', 'node')

if (version === undefined) {
  console.log(`newest Node skipped: there is no ${name} in ${source}/package.json`)
  process.exit(0)
}
if (installedVersion() !== version) install()
if (installedVersion() !== version) {
  console.log(`newest Node skipped: ${name}@${version} could not be installed from the registry`)
  process.exit(0)
}
console.log(`unit tests on Node ${version}`)
const { status } = spawnSync(
  program,
  // One worker: it runs beside all other tests, and has ended long before them.
  [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'unit', '--maxWorkers', '1'],
  { stdio: 'inherit', env: { ...process.env, RANKWARD_TEST_COUNTS: '' } },
)
process.exit(status ?? 1)

function installedVersion() {
  if (!existsSync(program)) return undefined
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return stdout?.trim().slice(1)
}

function install() {
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(source, file), join(folder, file))
  }
  spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
  })
}
