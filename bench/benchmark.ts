/**
 * Shared by all benchmarks: one file per question, a `small` size that runs with the tests so that it keeps
 * working, and a check value that detects wrong results. Results are copied to bench/RESULTS.md by hand, with
 * date and command; compare ratios within one run, never seconds across runs.
 */
import { pathToFileURL } from 'node:url'

export interface BenchmarkResult {
  /** The figures, one row each, named as in RESULTS.md. */
  rows: Record<string, string | number>[]
  /** A number that depends on the whole computation. */
  check: number
}

export type Benchmark = (size: 'small' | 'full') => Promise<BenchmarkResult> | BenchmarkResult

/** Runs and prints the benchmark if its file is the main program; does nothing if a test imports it. */
export async function benchmarkMain(moduleUrl: string, benchmark: Benchmark): Promise<void> {
  if (process.argv[1] === undefined || pathToFileURL(process.argv[1]).href !== moduleUrl) return
  const { rows, check } = await benchmark(process.argv.includes('--small') ? 'small' : 'full')
  console.table(rows)
  console.log(`check ${check}`)
}

/** The best of `rounds` runs, in seconds: noise only ever adds time. */
export async function bestSeconds(rounds: number, run: () => unknown): Promise<number> {
  let best = Infinity
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint()
    await run()
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e9)
  }
  return best
}
