// Debian packages for the benchmark: documentation to serve, and programs to serve and crawl it. Packages
// that can be used without installation are only unpacked into the cache folder, so the system stays
// unchanged.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Packages of HTML documentation, with many pages per megabyte and different generators (javadoc, doxygen,
 * Sphinx, gi-docgen, DocBook, MediaWiki, qdoc). If Debian releases use different names, the first that exists
 * is taken.
 */
export const documentation = [
  ['openjdk-17-doc', 'openjdk-21-doc'],
  ['libgtk-4-doc'],
  ['cppreference-doc-en-html'],
  ['libstdc++-12-doc', 'libstdc++-14-doc'],
  ['libboost1.81-doc', 'libboost1.83-doc'],
  ['liblapack-doc'],
  ['qtbase5-doc-html'],
  ['postgresql-doc-15', 'postgresql-doc-17'],
  ['llvm-14-doc', 'llvm-19-doc'],
  ['python-django-doc'],
  ['python3.11-doc', 'python3.13-doc'],
]

/** Packages, and how to check that the program is installed. */
const programs = [
  { name: 'wrk', probe: ['wrk', '-v'] },
  { name: 'wget2', probe: ['wget2', '--version'] },
  { name: 'python3-scrapy', probe: ['/usr/bin/python3', '-c', 'import scrapy'] },
]

/** Whether the command can be started; its exit code is ignored (`wrk -v` exits with 1). */
export const starts = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).error === undefined

const works = ([command, ...args]) =>
  command.startsWith('/') ? spawnSync(command, args, { stdio: 'ignore' }).status === 0 : starts(command, args)

/** Installs the missing programs. Without root permissions, prints what to install and continues. */
export function installPrograms(say) {
  const missing = programs.filter(({ probe }) => !works(probe)).map(({ name }) => name)
  if (missing.length === 0) return
  const install = ['install', '-y', '--no-install-recommends', ...missing]
  if (process.getuid() !== 0) {
    say(`missing, and only root can install: apt-get ${install.join(' ')}`)
    return
  }
  say(`installing ${missing.join(', ')}`)
  if (!apt(install)) {
    apt(['update'])
    if (!apt(install)) say(`could not install ${missing.join(', ')}`)
  }
}

/**
 * Debian's nginx, unpacked rather than installed, because the installation starts a service on port 80. Every
 * Debian system has its libraries. Undefined if it is unavailable.
 */
export function findNginx(cache, { mayDownload, say }) {
  const unpacked = join(cache, 'nginx')
  const program = join(unpacked, 'usr/sbin/nginx')
  if (starts(program, ['-v'])) return program
  if (starts('/usr/sbin/nginx', ['-v'])) return '/usr/sbin/nginx'
  if (!mayDownload) return undefined
  say('unpacking nginx')
  unpackPackage('nginx', unpacked)
  return starts(program, ['-v']) ? program : undefined
}

/** Unpacks the package into `folder`; false if Debian does not have it. */
export function unpackPackage(name, folder) {
  const download = `${folder}.download`
  rmSync(download, { recursive: true, force: true })
  mkdirSync(download, { recursive: true })
  try {
    // Without this option apt warns that its own user may not write here.
    const args = ['-o', 'APT::Sandbox::User=root', 'download', name]
    if (!apt(args, download)) {
      refreshLists()
      if (!apt(args, download)) return false
    }
    const [archive] = readdirSync(download)
    mkdirSync(folder, { recursive: true })
    return spawnSync('dpkg-deb', ['-x', join(download, archive), folder], { stdio: 'inherit' }).status === 0
  } finally {
    rmSync(download, { recursive: true, force: true })
  }
}

/** The first of the alternatives that this Debian has. */
export function firstAvailable(names) {
  const known = (name) => spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0
  const found = names.find(known)
  if (found !== undefined || !refreshLists()) return found
  return names.find(known)
}

let refreshed = false
/** Package lists may be missing (containers) or outdated; refreshing them once per run is enough. */
function refreshLists() {
  if (refreshed || process.getuid() !== 0) return false
  refreshed = true
  return apt(['update'])
}

function apt(args, cwd = '.') {
  if (!existsSync('/usr/bin/apt-get')) throw new Error('The full benchmark needs Debian; --small does not.')
  const { status } = spawnSync('apt-get', ['-qq', ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}
