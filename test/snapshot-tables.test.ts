/**
 * The tables of a crawl beside its engine: one that goes on from a saved state gives the same answers, whatever it is told afterwards,
 * and has the same state in the end.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom, type Random } from '../src/lib/random.ts'
import { restoreState, savedState, type Stateful } from '../src/lib/state.ts'
import { changed, hashesOf, randomWords } from '../src/web/near/near.cases.ts'
import { Sketcher } from '../src/web/near/sketch.ts'
import { DocumentFrequencies } from '../src/web/topic/document-frequencies.ts'
import { TrapWatch } from '../src/web/traps/trap-watch.ts'
import { ContentSeen } from '../src/crawler/parts/duplicates/content-seen.ts'
import { NearSeen } from '../src/crawler/parts/duplicates/near-seen.ts'
import { PageTable, type PageShelf } from '../src/crawler/world/page-table.ts'
import { SiteTable } from '../src/crawler/world/site-table.ts'
import { seeded } from './arbitrary-graph.ts'

interface TableUnderTest {
  readonly parts: readonly Stateful[]
  /** The i-th thing that happens, drawn from `random`; what the table answers. */
  step(i: number, random: Random): unknown
}

interface TableCase {
  readonly name: string
  readonly steps: number
  readonly make: () => TableUnderTest
}

/** URLs are on disk, and outlive the tables. */
class Shelf implements PageShelf {
  readonly #found: Parameters<PageShelf['putFound']>[1][] = []
  readonly sites: string[] = []

  putFound(page: number, record: Parameters<PageShelf['putFound']>[1]): void {
    this.#found[page] = record
  }

  putSite(name: string): void {
    this.sites.push(name)
  }

  found(page: number): Parameters<PageShelf['putFound']>[1] {
    return this.#found[page]
  }
}

const sketcher = new Sketcher(0.9)
const families = Array.from({ length: 12 }, (_, family) => randomWords(seededRandom(9, family), 120))
const sketches = families.flatMap((words, family) =>
  [0, 1, 2, 60].map((changes) => {
    const hashes = hashesOf(changed(words, changes, family + changes).join(' '))
    return sketcher.sketch(hashes, hashes.length)!
  }),
)

const urls = {
  host: (random: Random): string => `h${random.below(40)}.d${random.below(3)}.test`,
  draw: (random: Random): string => {
    const path = [
      'a',
      'b/c',
      `n/${random.below(50)}`,
      `list?page=${random.below(90)}&sort=${random.below(3)}`,
    ]
    return `http://${urls.host(random)}/${path[random.below(path.length)]}`
  },
}

function trapWatch(): TableUnderTest {
  const traps = new TrapWatch({ domainOf: (host) => host.replace(/^[^.]*\./, '') })
  return {
    parts: [traps],
    step(page, random) {
      const url = urls.draw(random)
      traps.found(page, url, random.below(10) === 0)
      const { standing } = traps.verdict(url, () => random.below(20) === 0)
      if (random.below(3) > 0) {
        traps.fetched(page, url, {
          links: Uint32Array.from({ length: 4 }, () => random.below(page + 1)),
          linkCount: 4,
          knownBefore: Math.max(0, page - 2),
          ancestors: page < 2 ? [-1, -1] : [random.below(page), random.below(page)],
          isCopy: random.below(5) === 0,
          isSameText: random.below(5) === 0,
          isAlike: random.below(5) === 0,
          original: random.below(3) === 0 ? urls.draw(random) : undefined,
          text: random.below(6),
          shape: random.below(12),
        })
      }
      return standing
    },
  }
}

function pageTable(): TableUnderTest {
  const sites = new SiteTable()
  const shelf = new Shelf()
  const pages = new PageTable(sites, shelf)
  return {
    parts: [sites, pages],
    step(i, random) {
      if (i === 30) return pages.addOutside(random.below(pages.known))
      const url = urls.draw(random)
      const known = pages.findUrl(url)
      if (known >= 0) return [known, pages.depth(known), pages.outside]
      const site = pages.addSeed(url) ?? -1
      return [site, sites.name(site)]
    },
  }
}

/** Failures to reach a site are not saved: a resumed crawl tries every site again. */
/** Names and numbers alone: the rest is counted again from the outcomes of pages. */
function siteTable(): TableUnderTest {
  const sites = new SiteTable()
  return {
    parts: [sites],
    step(_i, random) {
      const site = sites.numberOf(urls.host(random))
      return [site, sites.name(site), sites.count]
    },
  }
}

function contentSeen(): TableUnderTest {
  const seen = new ContentSeen()
  return {
    parts: [seen],
    step: (page, random) => [
      seen.body(page, page % 7, random.below(3000), random.below(2)),
      seen.siteBody(page, page % 7, random.below(3000), 1),
      Number(seen.spendAllowance(page % 7)),
      seen.text(page, random.below(1000), 1),
    ],
  }
}

function nearSeen(): TableUnderTest {
  const seen = new NearSeen(0.9)
  return {
    parts: [seen],
    step: (page, random) => [seen.first(page, sketches[random.below(sketches.length)]), seen.similarity],
  }
}

function manySketches(): TableUnderTest {
  const seen = new NearSeen(0.9)
  return {
    parts: [seen],
    step: (page, random) => {
      const sketch = Uint32Array.from({ length: sketches[0].length }, () => random.uint32())
      return [seen.first(page, sketch), seen.first(page, sketches[random.below(sketches.length)])]
    },
  }
}

function frequencies(): TableUnderTest {
  const words = new DocumentFrequencies()
  return {
    parts: [words],
    step(_, random) {
      words.add([random.below(50), 50 + random.below(50)])
      return words.idf(random.below(100))
    },
  }
}

const cases: readonly TableCase[] = [
  { name: 'the watch for traps', steps: 600, make: trapWatch },
  { name: 'the page table', steps: 400, make: pageTable },
  { name: 'the site table', steps: 400, make: siteTable },
  { name: 'the contents seen', steps: 4000, make: contentSeen },
  { name: 'the near-duplicates seen', steps: 200, make: nearSeen },
  { name: 'the near-duplicates seen, in several chunks', steps: 5000, make: manySketches },
  { name: 'the frequencies of words', steps: 200, make: frequencies },
]

const bytesOf = ({ parts }: TableUnderTest): Buffer => Buffer.concat(savedState(parts))

describe('a table that continues from its saved state gives the same results', () => {
  it.each(cases)('$name', ({ steps, make }) => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(steps), (seed, savedAt) => {
        const [one, other] = [make(), make()]
        const [random, again] = [seededRandom(seed), seededRandom(seed)]
        for (let i = 0; i < savedAt; i++) one.step(i, random)
        const chunks = savedState(one.parts)
        restoreState(other.parts, chunks)
        expect(bytesOf(other).equals(Buffer.concat(chunks)), 'it is saved as it was').toBe(true)
        restoreState([again], savedState([random]))
        let differing = -1
        for (let i = savedAt; i < steps && differing < 0; i++) {
          const answers = [one.step(i, random), other.step(i, again)].map((answer) => JSON.stringify(answer))
          if (answers[0] !== answers[1]) differing = i
        }
        expect(differing, 'the step at which the answers differ').toBe(-1)
        expect(bytesOf(other).equals(bytesOf(one)), 'equal states').toBe(true)
      }),
      seeded(10),
    )
  })
})

it('a page table that is restored writes no site to the shelf again', () => {
  const [sites, shelf] = [new SiteTable(), new Shelf()]
  const pages = new PageTable(sites, shelf)
  pages.addSeed('http://a.test/')
  const [sitesAgain, shelfAgain] = [new SiteTable(), new Shelf()]
  const again = new PageTable(sitesAgain, shelfAgain)
  restoreState([sitesAgain, again], savedState([sites, pages]))
  again.addSeed('http://b.test/')
  expect(shelfAgain.sites).toEqual(['b.test'])
  expect([sitesAgain.name(0), sitesAgain.name(1)]).toEqual(['a.test', 'b.test'])
})

it('near-duplicates found with another threshold are refused', () => {
  const [one, other] = [new NearSeen(0.9), new NearSeen(0.8)]
  expect(() => restoreState([other], savedState([one]))).toThrow(/threshold is 0.8, but/)
})
