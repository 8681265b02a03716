import { expect, it } from 'vitest'
import type { FetchResult } from './fetch-result.ts'
import { packMessage, packResult, resultFields, unpackResult } from './result-message.ts'

/** A different value for each field. */
const whole = Object.fromEntries(resultFields.map((field, i) => [field, `${field} ${i}`]))

it('a packed result is unpacked with every field', () => {
  const packed = packResult(whole as unknown as FetchResult)
  expect(packed).toHaveLength(resultFields.length)
  expect(unpackResult(structuredClone(packed))).toStrictEqual(whole)
})

it('fields without a value after the last one are not sent, and are there after unpacking', () => {
  const links = 'http://h/a'
  const fingerprints = Uint32Array.of(1, 2)
  const packed = packResult({ id: 7, links, fingerprints, linksHigh: 3 } as FetchResult)
  expect(packed.length).toBeLessThan(resultFields.length)
  const unpacked = unpackResult(structuredClone(packed))
  expect(unpacked).toEqual({ id: 7, links, fingerprints, linksHigh: 3 })
  expect(Object.keys(unpacked)).toEqual(resultFields)
})

it('other messages are sent as they are', () => {
  const message = { kind: 'slow', ids: [1, 2] } as const
  expect(packMessage(message)).toBe(message)
})
