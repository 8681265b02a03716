/**
 * The cases that every frontier must pass, and the naive frontier they are compared with: a list of pages
 * and, for each site, whether it is busy and until when it rests. Random sequences of all operations of an
 * engine are applied to both.
 */
import fc from 'fast-check'
import { expect } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import type { Frontier } from '../frontier.ts'
import { none } from '../page-forest.ts'
import { seededRandom } from '../../lib/random.ts'
import { savedState } from '../../lib/state.ts'

export interface FrontierUnderTest {
  /** Returns a new, empty frontier. */
  readonly make: () => Frontier
  /**
   * True if every free site with a page can be taken from at once. In Mercator, a site may have to wait for a
   * back queue.
   */
  readonly offersEverySite: boolean
  readonly bytesPerPageMax: number
}

export interface FrontierCase {
  readonly guarantee: string
  readonly check: (frontier: FrontierUnderTest) => void
}

/** An operation on a frontier; page and site are taken modulo their numbers. */
export interface Operation {
  readonly what: 'add' | 'update' | 'clear' | 'take' | 'takeFrom' | 'occupy' | 'prove' | 'release' | 'pass'
  readonly which: number
  readonly site: number
  readonly key: number
  readonly seconds: number
}

export function histories(lengthMax: number): fc.Arbitrary<Operation[]> {
  const operation: fc.Arbitrary<Operation> = fc.record({
    what: fc.constantFrom(
      ...([
        'add',
        'add',
        'add',
        'add',
        'update',
        'update',
        'take',
        'take',
        'take',
        'takeFrom',
        'occupy',
        'prove',
        'release',
        'release',
      ] as const),
      ...(['pass', 'clear'] as const),
    ),
    which: fc.nat(1000),
    site: fc.nat(9),
    key: fc.integer({ min: -3, max: 20 }),
    seconds: fc.constantFrom(0, 0.5, 1, 2, 3, 10),
  })
  return fc.array(operation, { maxLength: lengthMax })
}

/** A naive, slow model of a frontier. */
export class NaiveFrontier {
  readonly pages = new Map<number, { site: number; key: number }>()
  readonly busy: number[] = []
  readonly freeAt = new Map<number, number>()
  readonly proven = new Set<number>()
  now = 0

  isFree(site: number): boolean {
    return !this.busy.includes(site) && (this.freeAt.get(site) ?? 0) <= this.now
  }

  /** Pages that politeness allows now, in any order. */
  allowed(provenOnly = false): number[] {
    return [...this.pages].flatMap(([page, { site }]) =>
      this.isFree(site) && (!provenOnly || this.proven.has(site)) ? [page] : [],
    )
  }

  /** The times at which resting sites with pages become free. */
  wakings(): number[] {
    const sites = new Set([...this.pages.values()].map(({ site }) => site))
    return [...sites]
      .filter((site) => !this.busy.includes(site) && !this.isFree(site))
      .map((site) => this.freeAt.get(site)!)
  }

  take(page: number): number {
    const { site } = this.pages.get(page)!
    this.pages.delete(page)
    return site
  }
}

/** Applies a sequence of operations to a frontier and to the naive one. `look` is called before each step. */
export function play(
  frontier: Frontier,
  history: readonly Operation[],
  look: (naive: NaiveFrontier) => void = () => {},
): { naive: NaiveFrontier; taken: number[] } {
  const naive = new NaiveFrontier()
  const taken: number[] = []
  let pagesSeen = 0
  const pick = (list: readonly number[], which: number): number => list[which % list.length]
  const steps: Record<Operation['what'], (operation: Operation) => void> = {
    add({ site, key }) {
      const page = pagesSeen++
      frontier.add(page, site, key)
      naive.pages.set(page, { site, key })
    },
    update({ which, key }) {
      if (naive.pages.size === 0) return
      const page = pick([...naive.pages.keys()], which)
      const { site } = naive.pages.get(page)!
      frontier.update(page, site, key)
      naive.pages.set(page, { site, key })
    },
    // Like the engine when scores are recomputed: all pages are removed and added again in order of their
    // numbers.
    clear({ key }) {
      frontier.clear()
      expect(frontier.waiting).toBe(0)
      expect(frontier.nextFree()).toBe(Infinity)
      expect(frontier.best(naive.now)).toBe(none)
      for (const [page, entry] of [...naive.pages].toSorted(([a], [b]) => a - b)) {
        entry.key = (entry.key * 7 + key) % 11
        frontier.add(page, entry.site, entry.key)
      }
    },
    take() {
      if (frontier.best(naive.now) === none) return
      const page = frontier.take(naive.now)
      naive.busy.push(naive.take(page))
      taken.push(page)
    },
    takeFrom({ which }) {
      if (naive.busy.length === 0) return
      const site = pick(naive.busy, which)
      const page = frontier.takeFrom(site)
      if (page === none) return
      expect(naive.take(page)).toBe(site)
      taken.push(page)
    },
    occupy({ site }) {
      if (!naive.isFree(site)) return
      frontier.occupy(site, naive.now)
      naive.busy.push(site)
    },
    prove({ which, key }) {
      if (naive.busy.length === 0) return
      const site = pick(naive.busy, which)
      if (key % 3 === 0) naive.proven.delete(site)
      else naive.proven.add(site)
      frontier.prove(site, naive.proven.has(site))
      expect(frontier.isProven(site)).toBe(naive.proven.has(site))
    },
    release({ which, seconds }) {
      if (naive.busy.length === 0) return
      const [site] = naive.busy.splice(which % naive.busy.length, 1)
      naive.freeAt.set(site, naive.now + seconds)
      frontier.release(site, naive.now + seconds)
    },
    pass({ seconds }) {
      naive.now += seconds
    },
  }
  for (const operation of history) {
    look(naive)
    steps[operation.what](operation)
    expect(frontier.waiting).toBe(naive.pages.size)
  }
  look(naive)
  return { naive, taken }
}

/** Takes all remaining pages, with a rest of one second after each; no site stays busy. */
export function drain(frontier: Frontier, naive: NaiveFrontier): number[] {
  const taken: number[] = []
  for (const site of naive.busy.splice(0)) frontier.release(site, naive.now)
  while (frontier.waiting > 0) {
    const page = frontier.best(naive.now)
    if (page === none) {
      const next = frontier.nextFree()
      expect(next).toBeGreaterThan(naive.now)
      expect(next).toBeLessThan(Infinity)
      naive.now = next
      expect(frontier.best(next)).not.toBe(none)
      continue
    }
    expect(frontier.take(naive.now)).toBe(page)
    taken.push(page)
    const site = naive.take(page)
    naive.freeAt.set(site, naive.now + 1)
    frontier.release(site, naive.now + 1)
  }
  return taken
}

/** The state of a frontier. */
export function bytesOf(frontier: Frontier): string {
  return Buffer.concat(savedState([frontier])).toString('hex')
}

function forAll(numRuns: number, check: (history: Operation[]) => void): void {
  fc.assert(fc.property(histories(150), check), seeded(numRuns))
}

export const frontierCases: readonly FrontierCase[] = [
  {
    guarantee: 'offers no page of a busy or resting site, and repeated calls give the same result',
    check: ({ make, offersEverySite }) =>
      forAll(150, (history) => {
        const frontier = make()
        play(frontier, history, (naive) => {
          const best = frontier.best(naive.now)
          expect(frontier.best(naive.now)).toBe(best)
          const allowed = naive.allowed()
          if (best !== none) expect(allowed).toContain(best)
          else if (offersEverySite) expect(allowed).toEqual([])
        })
      }),
  },
  {
    guarantee: 'with provenOnly, offers only pages of proven sites, and takes the page it offers',
    check: ({ make, offersEverySite }) =>
      forAll(150, (history) => {
        const frontier = make()
        let offered = 0
        const { naive } = play(frontier, history, (at) => {
          const best = frontier.best(at.now, true)
          const allowed = at.allowed(true)
          if (best !== none) expect(allowed).toContain(best)
          else if (offersEverySite) expect(allowed).toEqual([])
          if (best !== none) offered = best
        })
        const best = frontier.best(naive.now, true)
        if (best === none) expect(() => frontier.take(naive.now, true)).toThrow('none is due')
        else expect([frontier.take(naive.now, true), best]).toEqual([best, offered])
      }),
  },
  {
    guarantee: 'takes the page that `best` returned',
    check: ({ make }) =>
      forAll(100, (history) => {
        const frontier = make()
        const take = frontier.take.bind(frontier)
        frontier.take = (now) => {
          const best = frontier.best(now)
          const page = take(now)
          expect(page).toBe(best)
          return page
        }
        play(frontier, history)
      }),
  },
  {
    guarantee: 'returns every page exactly once, after any sequence of operations',
    check: ({ make }) =>
      forAll(150, (history) => {
        const frontier = make()
        const { naive, taken } = play(frontier, history)
        const left = drain(frontier, naive)
        const added = history.filter(({ what }) => what === 'add').length
        expect([...taken, ...left].toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: added }, (_, page) => page),
        )
        expect(frontier.best(Infinity)).toBe(none)
        expect(frontier.nextFree()).toBe(Infinity)
      }),
  },
  {
    guarantee: 'returns the time at which the next resting site becomes free, never one in the past',
    check: ({ make, offersEverySite }) =>
      forAll(150, (history) => {
        const frontier = make()
        play(frontier, history, (naive) => {
          const best = frontier.best(naive.now)
          const next = frontier.nextFree()
          const wakings = naive.wakings()
          if (offersEverySite) expect(next).toBe(Math.min(...wakings))
          else if (next !== Infinity) expect(wakings).toContain(next)
          expect(next).toBeGreaterThan(naive.now)
          // Nothing to take, no time to wait for and no pending outcome: the crawl would hang.
          if (frontier.waiting > 0 && best === none && naive.busy.length === 0)
            expect(next).toBeLessThan(Infinity)
        })
      }),
  },
  {
    guarantee: 'has equal state after equal sequences of operations, regardless of calls to `best`',
    check: ({ make }) =>
      forAll(100, (history) => {
        const [watched, alone] = [make(), make()]
        const seen = play(watched, history, (naive) => {
          watched.best(naive.now)
          watched.nextFree()
          watched.best(naive.now + 0.25)
          watched.best(naive.now)
        })
        expect(play(alone, history).taken).toEqual(seen.taken)
        expect(bytesOf(watched)).toEqual(bytesOf(alone))
      }),
  },
  {
    guarantee: 'keeps busy and resting sites when cleared, and returns the pages added again',
    check({ make, offersEverySite }) {
      const frontier = make()
      for (let page = 0; page < 4; page++) frontier.add(page, page % 2, page)
      const first = frontier.take(0)
      const second = frontier.take(0)
      const resting = second % 2
      frontier.release(resting, 5)
      frontier.clear()
      expect([frontier.waiting, frontier.best(1), frontier.nextFree()]).toEqual([0, none, Infinity])
      const back = [0, 1, 2, 3].filter((page) => page !== first && page !== second)
      for (const page of back) frontier.add(page, page % 2, -page)
      expect([frontier.waiting, frontier.best(4.9)]).toEqual([2, none])
      if (offersEverySite) expect(frontier.nextFree()).toBe(5)
      frontier.release(first % 2, 6)
      expect(frontier.best(4.9)).toBe(none)
      expect([frontier.take(6), frontier.take(6)].toSorted((a, b) => a - b)).toEqual(back)
    },
  },
  {
    guarantee: 'refuses to take if nothing is due, and to release or continue with a site that is not busy',
    check({ make }) {
      const frontier = make()
      expect(() => frontier.take(0)).toThrow('none is due')
      frontier.add(0, 3, 1)
      expect(() => frontier.takeFrom(3)).toThrow('without a connection')
      expect(() => frontier.release(3, 1)).toThrow('not busy')
      expect(() => frontier.prove(3, true)).toThrow('not busy')
      frontier.take(0)
      expect(() => frontier.take(0)).toThrow('none is due')
      expect(frontier.takeFrom(3)).toBe(none)
    },
  },
  {
    guarantee: 'drains 100,000 pages of 1,000 sites in little memory',
    check({ make, bytesPerPageMax }) {
      const frontier = make()
      const random = seededRandom(7)
      const pages = 100_000
      const siteOf = Uint32Array.from({ length: pages }, () => Math.floor(1000 * random.fraction() ** 2))
      for (let page = 0; page < pages; page++) {
        frontier.add(page, siteOf[page], 0)
        const other = random.below(page + 1)
        frontier.update(other, siteOf[other], random.below(100))
      }
      expect(frontier.byteLength / pages).toBeLessThan(bytesPerPageMax)
      const seen = new Uint8Array(pages)
      const freeAt = new Float64Array(1000)
      let now = 0
      for (let taken = 0; taken < pages; taken++) {
        if (frontier.best(now) === none) now = frontier.nextFree()
        const page = frontier.take(now)
        const site = siteOf[page]
        if (seen[page]++ > 0 || now < freeAt[site])
          expect.fail(`page ${page} was returned twice or its site was not resting`)
        freeAt[site] = now + 1
        frontier.release(site, now + 1)
        now += 0.001
      }
      expect(frontier.waiting).toBe(0)
    },
  },
]
