// npm test: set-up, then format, lint, types and every test. Each check counts as one test in the closing
// line.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'

const bin = (name) => join('node_modules', '.bin', name)
const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0

if (!run(process.execPath, ['scripts/setup.mjs'])) end(0, 1)

let passed = 0
let failed = 0
const checks = [
  ['format', bin('oxfmt'), ['--check']],
  ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
  ['types', bin('tsc'), ['--noEmit', '-p', 'tsconfig.json']],
  ['types of the page', bin('tsc'), ['--noEmit', '-p', 'src/dashboard/page']],
]
// For CI only: vulnerabilities are found without any change here, and a second Node is a large download.
if (process.env.CI !== undefined) {
  checks.push(['audit', process.execPath, ['scripts/audit.mjs']])
  checks.push(['newest Node', process.execPath, ['scripts/newest-node.mjs']])
}
for (const [name, command, args] of checks) {
  const good = run(command, args)
  if (good) passed++
  else failed++
  console.log(`${good ? '✓' : '✗'} ${String(name)}`)
}

const counts = join(tmpdir(), `rankward-test-counts-${process.pid}.json`)
const good = run(bin('vitest'), ['run', ...process.argv.slice(2)], { RANKWARD_TEST_COUNTS: counts })
if (existsSync(counts)) {
  const tests = JSON.parse(readFileSync(counts, 'utf8'))
  rmSync(counts)
  passed += tests.passed
  failed += tests.failed
}
if (!good && failed === 0) failed++
end(passed, failed)

function end(passed, failed) {
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed > 0 ? 1 : 0)
}
