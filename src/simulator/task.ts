/** One simulation from its task to its judgement: in a thread of its own, or in the main thread where the strategy is code. */
import { judge, type Judgement } from './judgement.ts'
import type { Looks, RecrawlRecord } from './look-log.ts'
import { runRecrawl } from './recrawl-run.ts'
import { kindOf } from './run-kind.ts'
import { runSimulation, type RunOptions, type RunWatch } from './run.ts'
import type { SimulatedWeb } from './simulated-web.ts'
import { readFileSync } from 'node:fs'

export interface SimulationTask {
  readonly web: SimulatedWeb
  readonly options: RunOptions
}

export interface TaskResult {
  readonly judgement: Judgement
  readonly order: Uint32Array
  readonly scores: Float64Array
  /** When each page of the order was fetched; in a timed run only. */
  readonly times: Float64Array | undefined
  /** All fetches of a crawl that fetches pages again, if they were to be kept. */
  readonly looks?: Looks | undefined
  /** What the strategy calls itself. */
  readonly strategyName?: string | undefined
  /** Of the crawl alone, without judging it. */
  readonly seconds: number
  /** Processor time of the thread in these seconds; undefined if the system does not report it. */
  readonly cpuSeconds: number | undefined
}

export async function runTask({ web, options }: SimulationTask, watch: RunWatch): Promise<TaskResult> {
  const start = process.hrtime.bigint()
  const cpuStart = threadCpuSeconds()
  const again = options.recrawl === undefined ? undefined : await runAgain({ web, options }, watch)
  const run = again ?? (await runSimulation(web, options, watch))
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  const cpuSeconds = cpuStart === undefined ? undefined : threadCpuSeconds()! - cpuStart
  const { order, scores, strategyName } = run
  const judgement = await withSpeedUp({ web, options }, await judge(web, run, options), watch)
  const times = run.time?.seconds
  if (again === undefined) return { judgement, order, scores, times, seconds, cpuSeconds, strategyName }
  const { freshness, looks } = again
  const whole = { ...judgement, freshness }
  return { judgement: whole, order, scores, times, seconds, cpuSeconds, strategyName, looks }
}

/** A crawl that fetches pages again, on one engine or on several shards. */
async function runAgain({ web, options }: SimulationTask, watch: RunWatch): Promise<RecrawlRecord> {
  if (options.cluster === undefined) return runRecrawl(web, options, watch)
  return (await kindOf('cluster').run(web, options, watch)) as RecrawlRecord
}

/**
 * The speed-up over a single connection, if requested: the crawl is run again with one. There is none if either of the two was
 * interrupted.
 */
async function withSpeedUp(
  { web, options }: SimulationTask,
  judgement: Judgement,
  { stopped }: RunWatch,
): Promise<Judgement> {
  const { time, stoppedBecause } = judgement
  if (options.speedUp !== true || time === undefined || options.recrawl !== undefined) return judgement
  if (stoppedBecause === 'interrupted') return judgement
  const one = { ...options, time: { ...options.time, connections: 1 } }
  const alone = await runSimulation(web, one, stopped === undefined ? {} : { stopped })
  if (alone.stopReason === 'interrupted') return judgement
  return { ...judgement, time: { ...time, speedUp: alone.time!.summary.total / time.total } }
}

/**
 * Processor time of the calling thread. Unlike elapsed time it does not grow with what runs beside it, such as other
 * simulations in other threads.
 */

/** Newer releases of Node (22.19, 23.9) have this. */
type ThreadCpuUsage = () => { user: number; system: number }

/** Seconds since the thread began; undefined if neither Node nor the system reports it. */
export function threadCpuSeconds(): number | undefined {
  const { threadCpuUsage } = process as { threadCpuUsage?: ThreadCpuUsage }
  if (threadCpuUsage !== undefined) {
    const { user, system } = threadCpuUsage.call(process)
    return (user + system) / 1e6
  }
  try {
    // Linux. The first number is the time on a processor in nanoseconds.
    return Number.parseInt(readFileSync('/proc/thread-self/schedstat', 'latin1'), 10) / 1e9
  } catch {
    return undefined
  }
}
