/**
 * How much work a function does: how often the blocks of the project's code run, as V8 counts them. Unlike time, it is the same in every
 * run and on every machine, so that a test can tell linear from quadratic by a ratio. Work inside of built-in functions is not counted.
 *
 * V8 counts the blocks of code that is compiled after this module is loaded: import it first, in a test file with a process of its own.
 */
import { Session } from 'node:inspector'

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
  }[]
}

const session = new Session()
session.connect()
post('Profiler.enable', {})
post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** Calls of a session of the same thread end before the next line. */
function post(method: string, parameters: object): object {
  let answer: object | undefined
  session.post(method, parameters, (error: Error | null, result?: object) => {
    if (error !== null) throw new Error(method, { cause: error })
    answer = result ?? {}
  })
  if (answer === undefined) throw new Error(`${method} has not ended.`)
  return answer
}

/** The blocks that ran since the last call. */
function blocks(): number {
  const { result } = post('Profiler.takePreciseCoverage', {}) as Coverage
  let sum = 0
  for (const { url, functions } of result)
    if (url.includes('/src/'))
      for (const { ranges } of functions) for (const { count } of ranges) sum += count
  return sum
}

export function workOf(run: () => unknown): number {
  blocks()
  run()
  return blocks()
}

/** How many times more work four times the size is: about 4 if the work is linear, about 16 if it is quadratic. */
export function growth(size: number, run: (size: number) => unknown): number {
  // What is done once, such as filling a table, is no part of it.
  run(size)
  return workOf(() => run(4 * size)) / workOf(() => run(size))
}
