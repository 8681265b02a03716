import { describe, expect, it } from 'vitest'
import { cpuSeconds } from '../../../test/cpu-time.ts'
import { decodeReferences } from './character-references.ts'

const small = 62_500
const large = 1_000_000
/**
 * Linear work grows by 16, quadratic work by 256. Garbage collection can double or triple the time of long
 * texts.
 */
const growthMax = 100

/** The least of several runs, so that compilation and garbage collection do not count. */
function leastSeconds(text: string, inAttribute: boolean): number {
  const runs = Array.from({ length: 5 }, () => cpuSeconds(() => decodeReferences(text, inAttribute)))
  return Math.max(1e-5, Math.min(...runs))
}

const same = (text: string): string => text
const replacement = (): string => '\uFFFD'

describe.each([
  ['text', false],
  ['attributes', true],
])('references in %s', (_place, inAttribute) => {
  it.each<[name: string, make: (length: number) => string, decoded: (text: string) => string]>([
    ['ampersands', (length) => '&'.repeat(length), same],
    ['digits of one number', (length) => `&#${'9'.repeat(length)}`, replacement],
    ['hexadecimal digits of one number', (length) => `&#x${'f'.repeat(length)};`, replacement],
    ['zeros before a number', (length) => `&#${'0'.repeat(length)}65;`, () => 'A'],
    ['letters of one name', (length) => `&${'a'.repeat(length)}`, same],
    ['numbers without digits', (length) => '&#x'.repeat(length / 3), same],
    ['unfinished names', (length) => '&am'.repeat(length / 3), same],
    ['long unfinished names', (length) => '&CounterClockwiseContourIntegra'.repeat(length / 31), same],
    [
      'numbers without a semicolon',
      (length) => '&#999999999'.repeat(length / 11),
      (text) => '\uFFFD'.repeat(text.length / 11),
    ],
    [
      'names without a semicolon',
      (length) => '&notin'.repeat(length / 6),
      (text) => (inAttribute ? text : text.replaceAll('&not', '¬')),
    ],
  ])('take processor time in proportion to the length: %s', (_name, make, decoded) => {
    const short = make(small)
    const long = make(large)
    for (const text of [short, long]) {
      // Not toBe: a failure would print megabytes.
      expect(decodeReferences(text, inAttribute) === decoded(text)).toBe(true)
    }
    expect(leastSeconds(long, inAttribute) / leastSeconds(short, inAttribute)).toBeLessThan(growthMax)
  })
})
