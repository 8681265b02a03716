/**
 * What the threads of a PageRank computation do. First each reads a part of the links, in two passes. Then all run the same loop
 * over the same memory, for one ranking after the other:
 *
 *   take lanes and keep them · barrier · take lanes and sweep or check them · barrier · repeat until done
 *
 * Threads take lanes one by one, so that one delayed thread does not delay the others. The last thread to
 * arrive at the second barrier concludes the step and reports to the leader (`pagerank-leader.ts`). If a thread dies, the
 * others wait until the leader terminates them.
 */
import type { SharedGraph } from '../graph.ts'
import { openGraph } from '../open-graph.ts'
import {
  conclude,
  danglingFor,
  planOf,
  stepOf,
  type Course,
  type Limits,
  type PageRankReport,
} from './pagerank-course.ts'
import { openState, PageRankKernel, sumOf, type PostedState } from './pagerank-kernel.ts'
import { readPart, type LinkPass } from './pagerank-links.ts'

export type TeamTask = ReadTask | RankTask

/** Reading a part of the links; reports the pages read since the last report. */
export interface ReadTask {
  readonly graph: SharedGraph
  readonly pass: LinkPass
  readonly part: number
}

/** Taking part in a ranking; reports each step that this thread concludes. */
export interface RankTask {
  readonly state: PostedState
  /** The number of this thread, below `threads`. */
  readonly thread: number
  readonly threads: number
  readonly limits: Limits
  readonly course: Course
  /** Three counters, initially 0: see `slot`. */
  readonly control: Int32Array<SharedArrayBuffer>
}

const slot = { nextLane: 0, arrived: 1, meeting: 2 } as const
export const controlSlots = 3

export type ReportOf<Task> = Task extends ReadTask ? number : PageRankReport

export function doTask(task: TeamTask, report: (report: ReportOf<TeamTask>) => void): void {
  if ('pass' in task) readPart(openGraph(task.graph), task.pass, task.part, report)
  else takePart(task, report)
}

function takePart(task: RankTask, report: (report: PageRankReport) => void): void {
  const { thread, threads, course, control, limits } = task
  const state = openState(task.state)
  const kernel = new PageRankKernel(state, thread)
  const lanes = state.lanes.length - 1

  function eachLane(work: (lane: number) => void): void {
    for (;;) {
      const lane = Atomics.add(control, slot.nextLane, 1)
      if (lane >= lanes) return
      work(lane)
    }
  }

  function meet(last?: () => void): void {
    const meeting = Atomics.load(control, slot.meeting)
    if (Atomics.add(control, slot.arrived, 1) + 1 < threads) {
      while (Atomics.load(control, slot.meeting) === meeting) Atomics.wait(control, slot.meeting, meeting)
      return
    }
    last?.()
    Atomics.store(control, slot.arrived, 0)
    Atomics.store(control, slot.nextLane, 0)
    Atomics.add(control, slot.meeting, 1)
    Atomics.notify(control, slot.meeting)
  }

  for (;;) {
    // Nothing is written here until the next barrier, so all threads read the same values.
    const step = stepOf(course)
    if (step === 'done') return
    const dangling = danglingFor(state, course)
    const total = sumOf(state.totals)
    const plan = planOf(state, course)
    eachLane((lane) => kernel.keep(lane))
    meet()
    eachLane((lane) =>
      step === 'sweep' ? kernel.sweep(lane, dangling, plan) : kernel.check(lane, dangling, total),
    )
    meet(() => report(conclude(state, course, limits)))
  }
}
