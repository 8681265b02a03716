/**
 * Results cross threads without field names, which take more time to write and read than the values. A packed result is
 * the list of its values. Fields that are rarely set come last, and are not sent if nothing follows them. Every unpacked
 * one has the same fields, so that code that reads results stays fast.
 */
import { blankOf, namesOf } from '../page-field.ts'
import { fetchedFields } from '../page-fields.ts'
import type { FetchResult } from './fetch-result.ts'
import type { FromThread } from './messages.ts'

export const resultFields = [
  ...namesOf(fetchedFields, ({ rare }) => rare !== true),
  ...namesOf(fetchedFields, ({ rare }) => rare === true),
] as (keyof FetchResult)[]
export const blankResult = blankOf(resultFields)

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
  const result: Record<string, unknown> = { ...blankResult }
  for (let i = 0; i < values.length; i++) {
    if (values[i] !== undefined) result[resultFields[i]] = values[i]
  }
  return result as unknown as FetchResult
}
