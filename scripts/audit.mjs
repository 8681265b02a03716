// Checks Rankward's dependencies for known vulnerabilities, high or critical. Exit code 1 if there are any.
// If the registry is unreachable, it prints a message and succeeds: a missing network must not fail a build.
import { spawnSync } from 'node:child_process'

// By default npm waits 10 seconds and then a minute before it tries again.
const retries = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']
const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json', ...retries], {
  encoding: 'utf8',
  timeout: 60_000,
  shell: process.platform === 'win32',
})

let found
try {
  found = JSON.parse(stdout).metadata.vulnerabilities
} catch {
  found = undefined
}
if (found === undefined) {
  console.log(`audit skipped: the registry did not respond${error === undefined ? '' : ` (${error.code})`}`)
} else {
  const severe = found.high + found.critical
  console.log(`audit: ${severe} known vulnerabilities, high or critical; ${found.total} in all`)
  process.exitCode = severe > 0 ? 1 : 0
}
