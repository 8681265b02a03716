/**
 * When a PageRank computation has converged. Sweeps are repeated until their change is below the tolerance; then a
 * check computes the residual, which decides. If it is too large, the next check comes when the change has
 * shrunk as much as the residual still has to.
 */
import { blockPages } from './pagerank-pass.ts'
import { sumOf, type PageRankState, type SweepPlan } from './pagerank-kernel.ts'

export interface Limits {
  readonly tolerance: number
  readonly iterationsMax: number
}

export interface PageRankReport {
  /** Sweeps and checks so far. */
  readonly iteration: number
  /** L1 change of this sweep, or the residual of this check. */
  readonly residual: number
  readonly done: boolean
}

export const notStarted: PageRankReport = { iteration: 0, residual: 0, done: true }

/** Numbers that all threads share. */
export type Course = Float64Array<SharedArrayBuffer>
type Step = 'sweep' | 'check' | 'done'

const slot = { step: 0, iteration: 1, checkBelow: 2, lastChange: 3, dangling: 4, sweep: 5 } as const
const steps: readonly Step[] = ['sweep', 'check', 'done']

export function startCourse(state: PageRankState, { tolerance, iterationsMax }: Limits): Course {
  const course = new Float64Array(new SharedArrayBuffer(8 * Object.keys(slot).length))
  course[slot.step] = steps.indexOf(iterationsMax === 0 ? 'done' : 'sweep')
  course[slot.checkBelow] = tolerance
  course[slot.dangling] = sumOf(state.dangling)
  return course
}

export function stepOf(course: Course): Step {
  return steps[course[slot.step]]
}

/** The score of dangling pages for the next step; read it before the step starts. */
export function danglingFor(state: PageRankState, course: Course): number {
  const fixed = stepOf(course) === 'sweep' && state.danglingWeights === undefined
  return fixed ? course[slot.dangling] : sumOf(state.dangling)
}

/** A block that changes this many times as much as the average did is computed again. */
const repeatFactor = 3

/** How the next sweep treats blocks; read it before the sweep starts. */
export function planOf(state: PageRankState, course: Course): SweepPlan {
  const sweep = course[slot.sweep]
  const average = (sumOf(state.lastChanges) * blockPages) / state.pages
  return { repeatAbove: sweep === 0 ? Infinity : repeatFactor * average, isShifted: sweep % 2 === 1 }
}

/** Concludes a step of all lanes. */
export function conclude(state: PageRankState, course: Course, limits: Limits): PageRankReport {
  const iteration = ++course[slot.iteration]
  const checked = stepOf(course) === 'check'
  const change = sumOf(state.changes)
  const residual = checked ? change : change / sumOf(state.totals)
  const done = (checked && residual < limits.tolerance) || iteration >= limits.iterationsMax
  if (checked) course[slot.checkBelow] = 0.9 * course[slot.lastChange] * (limits.tolerance / residual)
  else {
    course[slot.lastChange] = residual
    course[slot.sweep]++
  }
  const converged = !checked && residual < course[slot.checkBelow]
  course[slot.step] = steps.indexOf(done ? 'done' : converged ? 'check' : 'sweep')
  return { iteration, residual, done }
}
