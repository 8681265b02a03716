import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { SyntheticWeb } from './synthetic-web.ts'
import { hotShape, topicLocality } from '../../../test/topic-shape.ts'
import { drawTopicWord, drawWord, topicName, topicsMax } from './topic-words.ts'
import { Draws } from './draws.ts'
import { TopicalPages, topicalWeb } from './topical-web.ts'

/** Seeds of webs whose shape is measured: one, or three with `FULL=1`. */
const seeds = process.env['FULL'] === undefined ? [1] : [1, 2, 3]
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

function linkLists(web: SyntheticWeb): number[][] {
  const into = new Uint32Array(web.degreeMax)
  return numbers(web.pages).map((page) => [...into.subarray(0, web.linksOf(page, into))])
}

const anyTopical = fc.integer({ min: 1, max: 600 }).chain((pages) =>
  fc.record({
    pages: fc.constant(pages),
    sites: fc.integer({ min: 1, max: pages }),
    seed: fc.maxSafeNat(),
    topics: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(topicsMax)),
    inSiteShare: fc.double({ min: 0, max: 1, noNaN: true }),
    farms: fc.integer({ min: 0, max: 2 }),
    farmPages: fc.constant(5),
  }),
)

describe('a topical web', () => {
  it('has the same links, addresses, topics and texts for the same seed, and others for another', () => {
    const told = (seed: number): string => {
      const web = topicalWeb({ pages: 600, seed })
      return numbers(600)
        .map((page) => `${web.urls.at(page)} ${web.topicOf(page)} ${web.relevanceOf(page)} ${web.html(page)}`)
        .join('\n')
    }
    const first = told(7)
    expect(told(7) === first).toBe(true)
    expect(told(8) === first).toBe(false)
    expect(told(7 + 2 ** 32) === first).toBe(false)
  })

  it('gives a page the same text in any order of access', () => {
    const inOrder = topicalWeb({ pages: 500, seed: 3 })
    const texts = numbers(500).map((page) => inOrder.html(page))
    const backwards = topicalWeb({ pages: 500, seed: 3 })
    for (const page of numbers(500).toReversed()) expect(backwards.html(page)).toBe(texts[page])
  })

  it('does not change unless the model is changed deliberately', () => {
    const web = topicalWeb({ pages: 300, seed: 5 })
    let sum = 0x811c9dc5
    for (const page of numbers(300)) {
      const text = web.urls.at(page) + web.html(page)
      for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
    }
    expect(sum >>> 0).toBe(1737404211)
  })

  it.each([1, 2, 3])('links to pages of the same topic, within sites and between them: seed %i', (seed) => {
    const { inSite, between } = topicLocality(topicalWeb({ pages: 20_000, seed }))
    expect(inSite.sameShare / inSite.baseShare).toBeGreaterThan(3)
    expect(between.links).toBeGreaterThan(5_000)
    expect(between.sameShare / between.baseShare).toBeGreaterThan(3)
  })

  it.each(seeds)('has hot pages as Cho, Garcia-Molina and Page saw them: seed %i', (seed) => {
    const web = topicalWeb({ pages: 20_000, seed })
    const shape = hotShape(web, 0)
    expect(shape.word).toBe('computer')
    expect(shape.hotShare).toBeGreaterThan(0.07)
    expect(shape.hotShare).toBeLessThan(0.13)
    expect(shape.oneBacklinkShare).toBeGreaterThan(0.25)
    expect(shape.oneBacklinkShare).toBeLessThan(0.5)
    // Children of hot pages tend to be hot.
    expect(shape.hotToHotShare / shape.hotShare).toBeGreaterThan(3)
    // Texts of links tell, but not always, and not always the truth; URLs tell less.
    expect(shape.anchorShare).toBeGreaterThan(0.2)
    expect(shape.anchorShare).toBeLessThan(0.5)
    expect(shape.anchorShareOfOthers).toBeGreaterThan(0.002)
    expect(shape.anchorShareOfOthers).toBeLessThan(0.05)
    expect(shape.urlShare).toBeGreaterThan(2 * shape.urlShareOfOthers)
    expect(shape.urlShare).toBeLessThan(0.5)
  })

  it('has topics of the shares that they shall have, whatever topic the largest site has', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const web = topicalWeb({ pages: 10_000, seed })
      const sizes = new Float64Array(8)
      for (const page of numbers(10_000)) sizes[web.topicOf(page)] += 1 / 10_000
      const all = numbers(8).reduce((sum, topic) => sum + 1 / Math.sqrt(topic + 1), 0)
      for (const topic of numbers(8)) {
        const asked = 1 / Math.sqrt(topic + 1) / all
        expect(sizes[topic] / asked).toBeGreaterThan(0.6)
        expect(sizes[topic] / asked).toBeLessThan(1.6)
      }
    }
  })
})

describe('a topical web with any options', () => {
  test('its links are proper, its addresses its own, its topics within bounds', () => {
    fc.assert(
      fc.property(anyTopical, (options) => {
        const web = new SyntheticWeb(options)
        linkLists(web).forEach((list, page) => {
          expect(list).toEqual([...new Set(list)].toSorted((a, b) => a - b))
          expect(list.every((target) => target !== page && target < web.pages)).toBe(true)
        })
        expect(new Set(numbers(web.pages).map((page) => web.urlOf(page))).size).toBe(web.pages)
        const topics = numbers(web.pages).map((page) => web.topics!.topicOf(page))
        expect(topics.every((topic) => topic >= 0 && topic < options.topics)).toBe(true)
      }),
      seeded(30),
    )
  })

  test('home pages keep their addresses', () => {
    const web = new SyntheticWeb({ pages: 5_000, topics: 8 })
    const paths = numbers(web.sites).map((site) => new URL(web.urlOf(web.siteStart(site))).pathname)
    expect(new Set(paths)).toEqual(new Set(['/']))
  })

  test('there are no texts without topics', () => {
    expect(() => new TopicalPages(new SyntheticWeb({ pages: 10 }))).toThrow('Set topics to 1 or more')
    expect(() => topicalWeb({ pages: 10, topics: topicsMax + 1 })).toThrow('topics = 1001')
  })
})

describe('the words of topical webs', () => {
  it('are different for all topics, and no topic’s name is a word of any text', () => {
    const names = numbers(topicsMax).map(topicName)
    expect(names.slice(0, 3)).toEqual(['computer', 'admission', 'energy'])
    expect(new Set(names).size).toBe(topicsMax)
    const draws = new Draws()
    draws.restart(1)
    const words = new Set(numbers(50_000).map(() => drawWord(draws)))
    expect(words.size).toBeGreaterThan(3_000)
    expect(names.filter((name) => words.has(name))).toEqual([])
    const ofTopics = numbers(40).map((topic) => new Set(numbers(500).map(() => drawTopicWord(topic, draws))))
    const together = ofTopics.flatMap((set) => [...set])
    expect(new Set(together).size).toBe(together.length)
    expect(together.filter((word) => words.has(word) || names.includes(word))).toEqual([])
  })

  it('follow Zipf: the word of rank 10 is a tenth as frequent as the first', () => {
    const draws = new Draws()
    draws.restart(2)
    const counts = new Map<string, number>()
    for (let i = 0; i < 200_000; i++) {
      const word = drawWord(draws)
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    const descending = [...counts.values()].toSorted((a, b) => b - a)
    expect(descending[0] / descending[9]).toBeGreaterThan(8)
    expect(descending[0] / descending[9]).toBeLessThan(12)
    expect(descending[0] / descending[99]).toBeGreaterThan(70)
    expect(descending[0] / descending[99]).toBeLessThan(130)
  })
})
