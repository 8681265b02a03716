// Prepares a run: builds Rankward, installs the peers, unpacks the pages and spreads them over hosts.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { documentationPages, generatedPages } from './pages.mjs'
import { freePort } from './server.mjs'
import { buildWeb, cachedWeb, removeWeb } from './web.mjs'

const here = dirname(fileURLToPath(import.meta.url))
export const root = join(here, '../..')
export const cache = join(root, 'node_modules/.cache/rankward-bench')

export function buildRankward() {
  const program = join(root, 'scripts/build.mjs')
  const { status } = spawnSync(process.execPath, [program], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('Rankward does not build; --no-build uses the last build.')
}

/** Copies the peers' scripts next to their packages. Installs packages only if `mayInstall`. */
export function preparePeers({ mayInstall, say }) {
  const peersFolder = join(cache, 'peers')
  mkdirSync(peersFolder, { recursive: true })
  cpSync(join(here, 'peers'), peersFolder, { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(here, 'peers/package.json'), 'utf8'))
  const stamp = join(peersFolder, '.installed')
  const wanted = JSON.stringify(dependencies)
  if (mayInstall && !(existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted)) {
    say('installing the peers from npm')
    if (installPackages(peersFolder)) writeFileSync(stamp, wanted)
    else say('npm could not install all peers; those that do not load are skipped')
  }
  if (mayInstall) buildNativePeers(peersFolder, say)
  return { peersFolder, peerVersions: dependencies }
}

/** Peers in other languages: those whose compiler is not installed are skipped. */
const nativePeers = [
  { folder: 'bare-rust', command: ['cargo', 'build', '--release', '--quiet'] },
  { folder: 'bare-go', command: ['go', 'build', '-o', 'bare-go', '.'] },
  { folder: 'colly', command: ['go', 'build', '-o', 'colly-peer', '.'] },
]

function buildNativePeers(peersFolder, say) {
  for (const { folder, command } of nativePeers) {
    say(`building ${folder}`)
    const [program, ...args] = command
    const { status } = spawnSync(program, args, {
      cwd: join(peersFolder, folder),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) say(`${folder} was not built: is ${program} installed?`)
  }
}

function installPackages(cwd) {
  // No install scripts: none of the packages needs them.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const args = ['install', '--ignore-scripts', '--no-package-lock', ...quiet]
  return spawnSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
}

/** Debian's documentation on 200 hosts, created once and cached. */
export function prepareWeb({ port, say }) {
  const webFolder = join(cache, 'web')
  const wanted = { hosts: 200, port, say }
  const cached = cachedWeb(webFolder, wanted)
  if (cached !== undefined) return { webFolder, web: cached }
  removeWeb(webFolder)
  const assets = join(webFolder, 'assets')
  mkdirSync(assets, { recursive: true })
  return { webFolder, web: buildWeb(webFolder, documentationPages(assets, say), wanted) }
}

/** A few hundred generated pages on four hosts, on a free port: tests may run in parallel. */
export async function prepareSmallWeb(folder, { port, say }) {
  const webFolder = join(folder, 'web')
  const wanted = { hosts: 4, port: port ?? (await freePort()), say }
  return { webFolder, web: buildWeb(webFolder, generatedPages(300), wanted) }
}
