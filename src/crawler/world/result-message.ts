/**
 * Results cross threads without field names, which take more time to write and read than the values. A packed result is
 * the list of its values, in the order of `blank`. Every unpacked one has the same fields, so that code that reads
 * results stays fast.
 */
import type { FetchResult } from './fetch-result.ts'
import type { FromThread } from './messages.ts'

const blank: Readonly<Record<keyof FetchResult, undefined>> = {
  id: undefined,
  site: undefined,
  purpose: undefined,
  last: undefined,
  startMs: undefined,
  durationMs: undefined,
  status: undefined,
  bytes: undefined,
  contentType: undefined,
  etag: undefined,
  lastModified: undefined,
  date: undefined,
  title: undefined,
  noindex: undefined,
  nofollow: undefined,
  canonical: undefined,
  sketch: undefined,
  shape: undefined,
  bodyLow: undefined,
  bodyHigh: undefined,
  textLow: undefined,
  textHigh: undefined,
  links: undefined,
  fingerprints: undefined,
  outside: undefined,
  tooDeep: undefined,
  linksLow: undefined,
  linksHigh: undefined,
  // Mostly undefined, and not sent if nothing follows them.
  linksNofollow: undefined,
  linksRel: undefined,
  linksIgnoredRel: undefined,
  linksElsewhere: undefined,
  anchors: undefined,
  digest: undefined,
  cut: undefined,
  failure: undefined,
  failureText: undefined,
  broken: undefined,
  rejected: undefined,
  truncated: undefined,
  faults: undefined,
  miscoded: undefined,
  location: undefined,
  setCookies: undefined,
  beginsSession: undefined,
  proxy: undefined,
  proxyFailed: undefined,
  retryAfter: undefined,
  feeds: undefined,
  requisites: undefined,
  dates: undefined,
  text: undefined,
  language: undefined,
  body: undefined,
  headers: undefined,
}

export const resultFields = Object.keys(blank) as readonly (keyof FetchResult)[]

type PackedResult = readonly unknown[]
/** What crosses from a fetch thread to the main thread. */
export type PackedMessage =
  | Exclude<FromThread, { readonly kind: 'results' }>
  | { readonly kind: 'results'; readonly results: readonly PackedResult[] }

export function packMessage(message: FromThread): PackedMessage {
  return message.kind === 'results' ? { kind: 'results', results: message.results.map(packResult) } : message
}

export function packResult(result: FetchResult): PackedResult {
  let count = resultFields.length
  while (count > 0 && result[resultFields[count - 1]] === undefined) count--
  const values: unknown[] = []
  for (let i = 0; i < count; i++) values.push(result[resultFields[i]])
  return values
}

export function unpackResult(values: PackedResult): FetchResult {
  const result: Record<string, unknown> = { ...blank }
  for (let i = 0; i < values.length; i++) result[resultFields[i]] = values[i]
  return result as unknown as FetchResult
}
