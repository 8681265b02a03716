/** A reporter that hands the number of passed and failed tests to scripts/test.mjs, names those that failed, and says why tests were skipped. */
import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

export class TestCounts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0
    let failed = 0
    for (const module of modules) {
      // A file that cannot even be loaded is one failure.
      if (module.errors().length > 0) {
        failed++
        console.log(`failed: ${module.relativeModuleId} as a whole`)
      }
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state === 'failed') {
          failed++
          console.log(`failed: ${module.relativeModuleId}: ${title(test)}`)
        } else console.log(`skipped: ${title(test)}`)
      }
    }
    // Empty: the run's counts are not wanted.
    const path = process.env['RANKWARD_TEST_COUNTS'] ?? ''
    if (path !== '') writeFileSync(path, JSON.stringify({ passed, failed }))
  }
}

function title(test: TestCase): string {
  const { note } = test.result() as { note?: string }
  return `${test.fullName}${note === undefined ? '' : ` (${note})`}`
}
