import { defineConfig } from 'vitest/config'
import { TestCounts } from './test/test-counts.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    reporters: ['default', new TestCounts()],
  },
})
