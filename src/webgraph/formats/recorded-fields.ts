/** Fields of the files of recorded changes. */

/** Reports what was expected, and does not return. */
export type Fail = (expected: string) => never

export function pageField(text: string, paths: number, fail: Fail): number {
  const page = /^\d+$/.test(text) ? Number(text) : NaN
  return page < paths ? page : fail(`a page id below ${paths}`)
}

export function timeField(text: string, before: number, fail: Fail): number {
  const time = /^\d+$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(time)) return fail('a time in unix seconds')
  return time >= before ? time : fail(`a time from ${before} on, because rows are sorted by time`)
}
