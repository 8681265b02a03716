/** Random graphs for property tests, and the seed that repeats them: `SEED=42 npm test` fails the same way anywhere. */
import fc from 'fast-check'

/**
 * Options for every fc.assert: fast-check prints the seed of a failure itself. CI always runs the same cases, so that it
 * answers for the change and not for the draw; elsewhere every run draws new ones.
 */
export function seeded(numRuns: number): { numRuns: number; seed?: number } {
  const { SEED = process.env['CI'] === 'true' ? '1' : undefined } = process.env
  return SEED === undefined ? { numRuns } : { numRuns, seed: Number(SEED) }
}

/** Link lists of up to `pagesMax` pages: in page order, with self-links and repeats. */
export function linkLists(pagesMax: number, degreeMax: number): fc.Arbitrary<number[][]> {
  return fc
    .integer({ min: 1, max: pagesMax })
    .chain((pages) =>
      fc.array(fc.array(fc.nat(pages - 1), { maxLength: degreeMax }), { minLength: pages, maxLength: pages }),
    )
}

/** The same without self-links and repeats (S1), the first of each kept. */
export function cleanLists(pagesMax: number, degreeMax: number): fc.Arbitrary<number[][]> {
  return linkLists(pagesMax, degreeMax).map((lists) =>
    lists.map((list, page) => [...new Set(list)].filter((target) => target !== page)),
  )
}
