// Installs and builds everything that is missing. Idempotent, and quick if nothing is missing. Uses only
// Node, since it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)

const nodeWanted = [20, 19]
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < nodeWanted[0] || (major === nodeWanted[0] && minor < nodeWanted[1])) {
  fail(`Node ${process.versions.node} is too old: Rankward needs Node ${nodeWanted.join('.')} or newer.`)
}

// For tests only, so installed only if all of them must run: in CI, or with --debian.
const debianPackages = [
  { name: 'chromium', program: 'chromium', for: 'the tests of the reports and the dashboard' },
  { name: 'nginx', program: 'nginx', for: 'the tests of the crawler against a real server' },
  { name: 'prometheus', program: 'promtool', for: 'the tests of the metrics' },
  { name: 'nats-server', program: 'nats-server', for: 'the tests of journals in JetStream' },
]

installPackages()
if (process.env.CI === 'true' || process.argv.includes('--debian')) installDebianPackages()
build()

function installPackages() {
  const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  const stamp = join('node_modules', '.rankward-setup')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('setup: installing npm packages')
  run(
    'npm',
    ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
    'Check that the npm registry can be reached, then run `npm run setup` again.',
  )
  writeFileSync(stamp, wanted)
}

function installDebianPackages() {
  // Servers are in a folder that only root's PATH has by default.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  const has = (program) => folders.some((folder) => existsSync(join(folder, program)))
  const missing = debianPackages.filter(({ program }) => !has(program))
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name)
  console.error(`setup: installing ${names.join(', ')}`)
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  const installed =
    process.getuid?.() === 0 &&
    has('apt-get') &&
    apt('update', '-qq') &&
    apt('install', '-y', '-qq', '--no-install-recommends', ...names)
  if (installed) return
  // Not fatal: only those tests need them.
  for (const { name, for: what } of missing)
    console.error(
      `setup: ${name} could not be installed; for ${what} run \`apt-get install ${name}\` as root.`,
    )
}

function build() {
  const newest = Math.max(
    ...sources('src').map((file) => statSync(file).mtimeMs),
    ...['tsconfig.build.json', join('scripts', 'bundle.mjs')].map((file) => statSync(file).mtimeMs),
  )
  const stamp = join('dist', '.built')
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= newest) return
  console.error('setup: building')
  run(process.execPath, [join('scripts', 'build.mjs')], 'Fix the type errors above.')
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory()
      ? sources(path)
      : /(?<!\.(test|cases))\.(ts|css|html|svg)$/.test(entry.name)
        ? [path]
        : []
  })
}

function run(command, args, advice) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0)
    fail(`\`${command} ${args.join(' ')}\` failed${error ? ` (${error.message})` : ''}. ${advice}`)
}

function fail(message) {
  console.error(`setup: ${message}`)
  process.exit(1)
}
