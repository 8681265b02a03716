/**
 * The leader of a PageRank computation: a thread that starts the team, lays out the web with it, and has it compute one ranking after
 * the other. It alone holds the in-links, so their memory is free as soon as it ends, without waiting for the garbage collector
 * of the calling thread; only the scores leave it.
 */
import { Worker } from 'node:worker_threads'
import { threadOptions, workerEntry } from '../../lib/worker-entry.ts'
import type { Graph, SharedGraph } from '../graph.ts'
import { openGraph } from '../open-graph.ts'
import { notStarted, startCourse, type Limits, type PageRankReport } from './pagerank-course.ts'
import { layOutWeb, linksProgress, type LaidOutWeb } from './pagerank-in-links.ts'
import {
  postState,
  resultOf,
  startState,
  type PageRankResult,
  type PageRankState,
  type Ranking,
} from './pagerank-kernel.ts'
import { controlSlots, type RankTask, type ReadTask, type ReportOf, type TeamTask } from './pagerank-team.ts'

/** Plain data that can be posted. */
export interface RankingRequest {
  readonly graph: SharedGraph
  readonly transposed: SharedGraph | undefined
  readonly rankings: readonly Ranking[]
  readonly limits: Limits
  readonly threads: number
}

/** What the leader posts: progress, a step of a ranking, or the results at the end. */
export type LeaderMessage =
  | { readonly read: number; readonly total: number | undefined }
  | { readonly step: PageRankReport }
  | { readonly results: readonly PageRankResult[] }

export async function lead(request: RankingRequest, post: (message: LeaderMessage) => void): Promise<void> {
  const { rankings, limits, threads } = request
  const team = new Team(threads)
  const graph = openGraph(request.graph)
  const transposed = request.transposed && openGraph(request.transposed)
  const web = await layOut(graph, transposed, team, post)
  const results: PageRankResult[] = []
  for (const ranking of rankings) {
    const state = startState(web, ranking)
    const last = await rank(state, limits, team, (step) => post({ step }))
    results.push(resultOf(state, last))
  }
  post({ results })
}

async function layOut(
  graph: Graph,
  transposed: Graph | undefined,
  team: Team,
  post: (message: LeaderMessage) => void,
): Promise<LaidOutWeb> {
  const progress = (read: number, total?: number): void => post({ read, total })
  const report = linksProgress(graph, progress)
  const source = (transposed ?? graph).share()
  const passes = layOutWeb(graph, { transposed, threads: team.size, progress })
  for (;;) {
    const { done, value: pass } = passes.next()
    if (done === true) return pass
    await team.run<ReadTask>(pass.far.length, (part) => ({ graph: source, pass, part }), report)
  }
}

/** The report of the last step. */
async function rank(
  state: PageRankState,
  limits: Limits,
  team: Team,
  onStep: (step: PageRankReport) => void,
): Promise<PageRankReport> {
  const course = startCourse(state, limits)
  const control = new Int32Array(new SharedArrayBuffer(controlSlots * 4))
  const task = { state: postState(state), threads: team.size, limits, course, control }
  let last = notStarted
  await team.run<RankTask>(
    team.size,
    (thread) => ({ ...task, thread }),
    (step) => {
      // Threads conclude steps in turn; their reports may arrive in another order.
      if (step.done) last = step
      onStep(step)
    },
  )
  return last
}

/** What a thread of the team posts: a report, or the end of its task. */
type MemberMessage<Task> = { readonly report: ReportOf<Task> } | 'done'

class Team {
  readonly size: number
  readonly #workers: readonly Worker[]

  /** A thread that fails ends the leader with its error. */
  constructor(size: number) {
    this.size = size
    const entry = workerEntry(import.meta.url, './pagerank-worker')
    this.#workers = Array.from({ length: size }, () => new Worker(entry, threadOptions(process)))
  }

  /** Has the first threads do a task each, and waits for all of them. */
  async run<Task extends TeamTask>(
    threads: number,
    taskOf: (thread: number) => Task,
    onReport: (report: ReportOf<Task>) => void,
  ): Promise<void> {
    const inTurn = this.#workers.slice(0, threads)
    await Promise.all(inTurn.map((worker, thread) => finished(worker, taskOf(thread), onReport)))
  }
}

async function finished<Task extends TeamTask>(
  worker: Worker,
  task: Task,
  onReport: (report: ReportOf<Task>) => void,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    // The others would wait for it.
    const exit = (code: number): void => reject(new Error(`exit code ${code}`))
    const listen = (message: MemberMessage<Task>): void => {
      if (message !== 'done') {
        onReport(message.report)
        return
      }
      worker.off('message', listen).off('exit', exit)
      resolve()
    }
    worker.on('message', listen).on('exit', exit)
    worker.postMessage(task)
  })
}
