/**
 * How the threads of a PageRank computation work together. All run the same loop over the same memory:
 *
 *   take chunks and spread · barrier · take chunks and sweep · barrier · repeat until the last thread reports done
 *
 * Threads take chunks of about equal work one by one, so that one delayed thread does not delay the others.
 * The last thread to arrive at a barrier sums the blocks and reports to the calling thread. If a thread dies,
 * the others wait until the calling thread terminates them.
 */
import { openState, PageRankKernel, sumOfBlocks, type PostedState } from './pagerank-kernel.ts'

export interface PageRankTask {
  readonly state: PostedState
  readonly thread: number
  readonly threads: number
  readonly tolerance: number
  readonly iterationsMax: number
  /** Chunk i is the blocks chunks[i] … chunks[i + 1] - 1. */
  readonly chunks: Uint32Array
  /** Five counters, initially 0: see `slot`. */
  readonly control: Int32Array<SharedArrayBuffer>
}

/** Posted after each iteration, by the last thread to arrive. */
export interface PageRankReport {
  readonly iteration: number
  readonly residual: number
  readonly done: boolean
}

const slot = { nextChunk: 0, arrived: 1, meeting: 2, iteration: 3, done: 4 } as const
export const controlSlots = 5

/** Takes part in the computation until it is done. */
export function takePart(task: PageRankTask, report: (report: PageRankReport) => void): void {
  const { threads, chunks, control, tolerance, iterationsMax } = task
  const state = openState(task.state)
  const kernel = new PageRankKernel(state, task.thread)

  function eachChunk(work: (fromBlock: number, toBlock: number) => void): void {
    for (;;) {
      const chunk = Atomics.add(control, slot.nextChunk, 1)
      if (chunk >= chunks.length - 1) return
      work(chunks[chunk], chunks[chunk + 1])
    }
  }

  function meet(conclude?: () => void): void {
    const meeting = Atomics.load(control, slot.meeting)
    if (Atomics.add(control, slot.arrived, 1) + 1 < threads) {
      while (Atomics.load(control, slot.meeting) === meeting) Atomics.wait(control, slot.meeting, meeting)
      return
    }
    conclude?.()
    Atomics.store(control, slot.arrived, 0)
    Atomics.store(control, slot.nextChunk, 0)
    Atomics.add(control, slot.meeting, 1)
    Atomics.notify(control, slot.meeting)
  }

  function conclude(): void {
    const iteration = Atomics.add(control, slot.iteration, 1) + 1
    const residual = sumOfBlocks(state.blockChanges)
    const done = residual < tolerance || iteration >= iterationsMax
    if (done) Atomics.store(control, slot.done, 1)
    report({ iteration, residual, done })
  }

  while (Atomics.load(control, slot.done) === 0) {
    // No thread writes these sums between the two barriers, so all threads read the same values.
    const dangling = sumOfBlocks(state.blockDangling)
    eachChunk((from, to) => kernel.spread(from, to))
    meet()
    eachChunk((from, to) => kernel.sweep(from, to, dangling))
    meet(conclude)
  }
}
