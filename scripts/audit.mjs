// Are there known holes, high or critical, in what Rankward needs to run? Exit code 1 only if the registry says so; where it
// cannot be asked, that is said and nothing else: a network must not fail a build.
import { spawnSync } from 'node:child_process'

const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
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
  console.log(`audit skipped: the registry did not answer${error === undefined ? '' : ` (${error.code})`}`)
} else {
  const severe = found.high + found.critical
  console.log(`audit: ${severe} known holes, high or critical; ${found.total} in all`)
  process.exitCode = severe > 0 ? 1 : 0
}
