import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { TestCounts } from './test/setup/test-counts.ts'

const shared = {
  // Generous: a time limit catches a hang, never a busy machine.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 60_000,
  pool: 'forks',
} as const

/** Tests that need a server, a process, a thread or built code. */
const real = ['src/**/*.real.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts']

export default defineConfig({
  test: {
    // More than there are cores: about half of the time of tests is waiting, for servers, clocks and other processes.
    maxWorkers: availableParallelism() + 3,
    reporters: ['default', new TestCounts()],
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: real,
          setupFiles: 'test/setup/no-io.ts',
          // A test that asserts nothing, such as one whose cases are gone, fails.
          expect: { requireAssertions: true },
          // Unit tests share no state but modules, and loading these again for each file takes a quarter of the time.
          isolate: false,
        },
      },
      { test: { ...shared, name: 'real', include: real, globalSetup: 'test/setup/fresh-build.ts' } },
    ],
  },
})
