/**
 * How the threads of a PageRank computation work together. All run the same loop over the same memory:
 *
 *   take lanes and keep them · barrier · take lanes and sweep or check them · barrier · repeat until done
 *
 * Threads take lanes one by one, so that one delayed thread does not delay the others. The last thread to
 * arrive at the second barrier concludes the step and reports to the calling thread. If a thread dies, the
 * others wait until the calling thread terminates them.
 */
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

export interface PageRankTask {
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

/** Takes part in the computation until it is done. Reports after each step that this thread concludes. */
export function takePart(task: PageRankTask, report: (report: PageRankReport) => void): void {
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
