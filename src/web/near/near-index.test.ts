import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../lib/random.ts'
import { changed, exactSimilarity, hashesOf, randomWords } from './near.cases.ts'
import { NearIndex } from './near-index.ts'
import { differingBits, similarities, Sketcher } from './sketch.ts'

const seed = Number(process.env['SEED'] ?? 1)

function sketches(threshold: number, texts: readonly (readonly string[])[]): Uint32Array[] {
  const sketcher = new Sketcher(threshold)
  return texts.map((words) => {
    const hashes = hashesOf(words.join(' '))
    return sketcher.sketch(hashes, hashes.length)!
  })
}

/** Texts in families: each member has a few words of its own. */
function families(count: number, members: number, changesMax: number): string[][] {
  return Array.from({ length: count }, (_, family) => {
    const words = randomWords(seededRandom(seed, family), 250)
    return Array.from({ length: members }, (__, member) =>
      changed(words, member % (changesMax + 1), 100 * family + member),
    )
  }).flat()
}

describe(`the index of sketches (seed ${seed})`, () => {
  it.each([0.8, 0.9, 0.95])(
    'at %d finds nearly all that a comparison with every sketch finds, and nothing else',
    (threshold) => {
      const texts = families(150, 8, 12)
      const all = sketches(threshold, texts)
      const index = new NearIndex({ threshold })
      const table = similarities(threshold)
      let wanted = 0
      let found = 0
      all.forEach((sketch, page) => {
        const likes = all.slice(0, page).map((other) => table[differingBits(other, 0, sketch)])
        const best = Math.max(0, ...likes)
        const got = index.find(sketch)
        if (best >= threshold) wanted++
        if (got >= 0) {
          found++
          expect(index.similarity).toBe(likes[got])
          expect(index.similarity).toBeGreaterThanOrEqual(threshold)
        }
        index.add(page, sketch)
      })
      expect(wanted).toBeGreaterThan(100)
      expect(found).toBeLessThanOrEqual(wanted)
      expect(found / wanted).toBeGreaterThan(0.95)
    },
  )

  it('agrees with the exact Jaccard coefficient, but for what a sketch cannot tell', () => {
    const threshold = 0.9
    const texts = families(200, 8, 12)
    const all = sketches(threshold, texts)
    const index = new NearIndex({ threshold })
    let [clear, clearFound, wrong] = [0, 0, 0]
    texts.forEach((words, page) => {
      const family = page - (page % 8)
      const exact = texts.slice(family, page).map((other) => exactSimilarity(words, other))
      const got = index.find(all[page])
      if (exact.some((value) => value >= 0.96)) {
        clear++
        if (got >= 0) clearFound++
      }
      if (got >= 0 && exactSimilarity(words, texts[got]) < 0.8) wrong++
      index.add(page, all[page])
    })
    expect(clear).toBeGreaterThan(100)
    expect(clearFound / clear).toBeGreaterThan(0.97)
    expect(wrong).toBeLessThanOrEqual(2)
  })

  it('finds every sketch again, however large it has become', () => {
    const random = seededRandom(seed, 5)
    const index = new NearIndex({ threshold: 0.9 })
    const all = Array.from({ length: 20_000 }, () =>
      Uint32Array.from({ length: 10 }, () => random.below(0x1_0000_0000)),
    )
    all.forEach((sketch, page) => index.add(page, sketch))
    expect(index.count).toBe(all.length)
    const lost = all.filter((sketch, page) => index.find(sketch) !== page)
    expect(lost).toEqual([])
    expect(index.byteLength / index.count).toBeLessThan(84)
  })

  it('gives the first of several that are equally like it', () => {
    const index = new NearIndex({ threshold: 0.9 })
    const [sketch] = sketches(0.9, [randomWords(seededRandom(seed, 1), 100)])
    for (const page of [7, 3, 9]) index.add(page, sketch)
    expect(index.find(sketch)).toBe(7)
    expect(index.similarity).toBe(1)
  })

  it('does not become slow by pages that all share their keys', () => {
    const index = new NearIndex({ threshold: 0.9 })
    const random = seededRandom(seed, 3)
    const template = Uint32Array.of(0, 0, 0, 0, 0, 0, 11, 22, 33, 44)
    // With a comparison of all pairs this would be ten billion steps.
    let found = 0
    for (let page = 0; page < 100_000; page++) {
      const sketch = template.map((word, i) => (i < 6 ? random.below(0x1_0000_0000) : word))
      if (index.find(sketch) >= 0) found++
      index.add(page, sketch)
    }
    // Bits that are nothing but chance speak for a similarity of 0.9 once in two million comparisons.
    expect(found).toBeLessThan(20)
    expect(index.count).toBe(100_000)
  })

  it('keeps no more than it is allowed to, and still finds those', () => {
    const index = new NearIndex({ threshold: 0.9, sketchesMax: 2 })
    const all = sketches(
      0.9,
      [1, 2, 3].map((i) => randomWords(seededRandom(seed, i), 100)),
    )
    all.forEach((sketch, page) => index.add(page, sketch))
    expect(all.map((sketch) => index.find(sketch))).toEqual([0, 1, -1])
  })
})
