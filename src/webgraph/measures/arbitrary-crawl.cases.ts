/** Random crawls for the property tests of the measures: complete or stopped early, with many ties. */
import * as fc from 'fast-check'

export interface Crawl {
  readonly importance: Float64Array
  /** Some or all pages, in any order. */
  readonly order: Uint32Array
}

/** Few distinct values make many ties; relative differences of 10^-13 must not break them. */
const importanceValue = fc
  .tuple(fc.constantFrom(0, 0.1, 0.25, 1, 2.5), fc.constantFrom(0, 1e-13))
  .map(([value, noise]) => value * (1 + noise))

export function crawls(pagesMax: number): fc.Arbitrary<Crawl> {
  return fc.nat(pagesMax).chain((pages) =>
    fc.record({
      importance: fc
        .array(fc.oneof(importanceValue, fc.double({ min: 0, max: 1, noNaN: true })), {
          minLength: pages,
          maxLength: pages,
        })
        .map((values) => Float64Array.from(values)),
      order: orders(pages),
    }),
  )
}

export function orders(pages: number): fc.Arbitrary<Uint32Array> {
  const all = Array.from({ length: pages }, (_, page) => page)
  const whole = fc.shuffledSubarray(all, { minLength: pages, maxLength: pages })
  return fc.oneof(whole, fc.shuffledSubarray(all)).map((order) => Uint32Array.from(order))
}
