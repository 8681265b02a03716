import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { LinkModel } from './link-model.ts'

interface Lesson {
  readonly measures: readonly number[]
  readonly clues: readonly number[]
  readonly truth: boolean
}

const first = [
  { mean: -3, variance: 1 },
  { mean: 2, variance: 0.1 },
]

/** The same filter with one map of weights, all inputs alike. */
function naive(lessons: readonly Lesson[], kind: 'truth' | 'number'): (lesson: Lesson) => number {
  const weights = new Map(first.map(({ mean, variance }, i) => [`m${i}`, { mean, variance }]))
  const inputs = ({ measures, clues }: Lesson): [string, number][] => [
    ...measures.map((measure, i): [string, number] => [`m${i}`, measure]),
    ...clues.map((clue): [string, number] => [`c${clue}`, 1 / Math.sqrt(clues.length)]),
  ]
  const of = (name: string) => weights.get(name) ?? { mean: 0, variance: 0.5 }
  const estimate = (lesson: Lesson): number =>
    inputs(lesson).reduce((sum, [name, input]) => sum + of(name).mean * input, 0)
  for (const lesson of lessons) {
    const variance = inputs(lesson).reduce((sum, [name, input]) => sum + of(name).variance * input ** 2, 0)
    const p = 1 / (1 + Math.exp(-estimate(lesson) / Math.sqrt(1 + (Math.PI * variance) / 8)))
    const error = kind === 'truth' ? Number(lesson.truth) - p : Number(lesson.truth) - estimate(lesson)
    // Precision of an observation; the precision of the weights is one over their variance.
    const precision = kind === 'truth' ? p * (1 - p) : 1
    const total = 1 + precision * variance
    for (const [name, input] of inputs(lesson)) {
      const { mean, variance: before } = of(name)
      weights.set(name, {
        mean: mean + (before * input * error) / total,
        variance: before - ((before * input) ** 2 * precision) / total,
      })
    }
    if (kind === 'number') weights.get('m0')!.variance += 0.001
  }
  return estimate
}

const lesson: fc.Arbitrary<Lesson> = fc.record({
  measures: fc.tuple(fc.constant(1), fc.double({ min: 0, max: 3, noNaN: true })),
  clues: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
  truth: fc.boolean(),
})

describe('a model of links', () => {
  it.each(['truth', 'number'] as const)('learns a %s as a filter of single weights does', (kind) => {
    fc.assert(
      fc.property(fc.array(lesson, { maxLength: 30 }), lesson, (lessons, asked) => {
        const model = new LinkModel(first, 0.5)
        for (const { measures, clues, truth } of lessons) {
          const words = Uint16Array.from(clues)
          if (kind === 'truth') model.learnTruth(measures, words, 0, words.length, truth)
          else model.learnNumber(measures, words, 0, words.length, Number(truth))
        }
        const words = Uint16Array.from(asked.clues)
        const expected = naive(lessons, kind)(asked)
        expect(model.estimate(asked.measures, words, 0, words.length)).toBeCloseTo(expected, 4)
      }),
      seeded(200),
    )
  })

  it('keeps what it knew about links of a kind that it has not seen', () => {
    const model = new LinkModel(first, 1)
    const words = Uint16Array.of(5)
    for (let i = 0; i < 1000; i++) model.learnTruth([1, 0], words, 0, 1, false)
    expect(model.means[1]).toBe(2)
    expect(model.means[0]).toBeLessThan(-3)
  })

  it('counts a word on one hot page at once, and less the more pages it was on', () => {
    const odds = (cold: number): number => {
      const model = new LinkModel(first, 1)
      const words = Uint16Array.of(5)
      for (let i = 0; i < cold; i++) model.learnTruth([1, 0], words, 0, 1, false)
      const before = model.estimate([1, 0], words, 0, 1)
      model.learnTruth([1, 0], words, 0, 1, true)
      return model.estimate([1, 0], words, 0, 1) - before
    }
    expect(odds(0)).toBeGreaterThan(1)
    expect(odds(200)).toBeLessThan(odds(0))
  })
})
