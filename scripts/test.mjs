// npm test: set-up, then format, lint, types and every test. Each check counts as one test in the closing line. The
// quick checks run side by side before the tests, the slow ones beside them.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'

const bin = (name) => join('node_modules', '.bin', name)

let passed = 0
let failed = 0
const failures = []
if (spawnSync(process.execPath, ['scripts/setup.mjs'], { stdio: 'inherit' }).status !== 0) end(0, 1)

const checks = [
  ['format', bin('oxfmt'), ['--check']],
  ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings']],
  ['types', bin('tsc'), ['--noEmit', '-p', 'tsconfig.json']],
  ['types of the page', bin('tsc'), ['--noEmit', '-p', 'src/view/dashboard/page']],
]
// For CI only: vulnerabilities are found without any change here, and a second Node is a large download.
const slow = []
if (process.env.CI !== undefined) {
  slow.push(['audit', process.execPath, ['scripts/audit.mjs']])
  slow.push(['newest Node', process.execPath, ['scripts/newest-node.mjs']])
}
// A formatting or type error is known within seconds: these run before the tests, and the others beside them.
await Promise.all(checks.map(checked))
const beside = slow.map(checked)

const counts = join(tmpdir(), `rankward-test-counts-${process.pid}.json`)
const vitest = spawn(bin('vitest'), ['run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, RANKWARD_TEST_COUNTS: counts },
})
const good = await succeeded(vitest)
await Promise.all(beside)
if (existsSync(counts)) {
  const tests = JSON.parse(readFileSync(counts, 'utf8'))
  rmSync(counts)
  passed += tests.passed
  failed += tests.failed
}
if (!good && failed === 0) failed++
end(passed, failed)

/** Runs a check; its output is printed at its end, so that it stays together. */
async function checked([name, command, args]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const good = await succeeded(child)
  if (good) passed++
  else {
    failed++
    // Said again at the end: the output of a check may stand thousands of lines above.
    failures.push(`failed: ${name}`, ...output.split('\n').filter((line) => line.startsWith('failed: ')))
  }
  console.log(`${output}${good ? '✓' : '✗'} ${name}`)
}

/** Whether a process ends with exit code 0. */
function succeeded(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.log(String(error))
      resolve(false)
    })
    child.on('close', (code) => resolve(code === 0))
  })
}

function end(passed, failed) {
  for (const line of failures) console.log(line)
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed > 0 ? 1 : 0)
}
