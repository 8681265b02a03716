/**
 * Mass on a web whose links change (S70). Let p be the mass that a held page has passed on and e the mass that rests on a page. What
 * the held pages certainly have is p and whatever e becomes along their current links:
 *
 *   r = p + e · Σ (d · P)^k        P: the links of the held pages, as last fetched
 *
 * A page that has passed on p along its old links, and has new ones, takes d · p back from the old targets and gives it to the
 * new ones; e may become negative. A page that leaves takes it back too, and has p again as mass at rest. Both are exact, and
 * the sum of p and e / (1 - d) stays the same. A crumb e on a held page becomes at least e and at most e / (1 - d), which
 * gives a lower bound of the sum of r at any moment (`Mass.held`). Estimates of how much it becomes give a tighter one (stays.ts).
 *
 * Crumbs of both signs are passed on after each look until they are small, so that the bound stays close to the sum: within
 * half a percent at the default (bench/RESULTS.md). The work per look is bounded; what is left over is done after the next ones.
 * While no link has changed, nothing here does anything.
 */
import type { StateCodec } from '../../lib/state.ts'
import type { Mass } from '../strategies/mass.ts'
import { PageQueue } from '../strategies/page-queue.ts'
import type { Strategy } from '../strategy.ts'
import { Stays } from './stays.ts'

/**
 * A crumb is passed on if it exceeds this, divided by the number of crawled pages, times links / mean: to pass it on costs one step per
 * link. Less in small crawls, where it costs little: there, fewer crumbs cancel each other out.
 */
const crumbsMax = 0.06
/** Pages with fewer links than this share of the mean count as if they had as many. */
const linksShareMin = 1 / 8
/** On several shards, where nothing is known of what crumbs become on others. */
const crumbsMaxOnShards = 2e-3
const smallCrawl = 4096

export function crumbsMaxOf(crawledCount: number, most = crumbsMax): number {
  return most * Math.min(1, Math.sqrt(crawledCount / smallCrawl))
}
/** Links along which crumbs are passed on after a look. */
const linksMax = 8192
/** Thresholds are set anew, and sums recounted, when the number of crawled pages has grown by this factor, or after as many looks. */
const growth = 1.25

export interface ChangedLinksParts {
  readonly mass: Mass
  /** Adds mass, which may be negative, to a page, and has it rescored. */
  readonly receive: (page: number, share: number) => void
  /** All mass was lifted from a held page. */
  readonly lifted?: (page: number) => void
  /** Where the strategy gathers what pages without links return to the trusted pages, if it does so itself. */
  readonly gathered?: Gathered
  /** For benchmarks. */
  readonly crumbsMax?: number | undefined
  readonly residualMax?: number | undefined
}

const noPages = new Uint32Array(0)

/**
 * Mass on its way from pages without links to the trusted pages: gathered, because there may be thousands of both. It counts as
 * crumbs, so that nothing is gathered while a trusted page is not held.
 */
interface Gathered {
  mass(): number
  add(mass: number): void
  handOut(): void
}

export class ChangedLinks {
  readonly #parts: ChangedLinksParts
  readonly #mass: Mass
  /** Held pages whose crumb may exceed the threshold. */
  readonly #queue = new PageQueue()
  /** Infinite until a link has changed. */
  #threshold = Infinity
  #meanLinks = 1
  /** Number of crawled pages when the threshold was set, and of looks since. */
  #counted = 0
  #looks = 0
  /** The links of the page that is being relinked. */
  #oldTargets: Uint32Array = noPages
  readonly #gathered: Gathered
  #returned = 0
  /** Links along which crumbs were passed on, in all. */
  #linksRead = 0

  constructor(parts: ChangedLinksParts) {
    this.#parts = parts
    this.#mass = parts.mass
    this.#gathered = parts.gathered ?? this.#gathering(parts)
    this.#mass.onCrumb = (page, mass) => {
      if (Math.abs(mass) > linksShareMin * this.#threshold) this.#queue.push(page)
    }
  }

  #gathering({ mass, receive }: ChangedLinksParts): Gathered {
    const add = (amount: number): void => {
      mass.owes(this.#returned, this.#returned + amount)
      mass.crumbs += amount
      this.#returned += amount
    }
    const handOut = (): void => {
      const amount = this.#returned
      add(-amount)
      this.#returned = 0
      if (amount !== 0) mass.returnToSeeds(amount, receive)
    }
    return { mass: () => this.#returned, add, handOut }
  }

  /** Links along which crumbs were passed on, or that were read to see how much crumbs become. */
  get linksRead(): number {
    return this.#linksRead + (this.#mass.stays?.linksRead ?? 0)
  }

  /** The methods of a strategy that keeps its mass in this way. */
  get methods(): Required<
    Pick<Strategy, 'relinking' | 'rerouted' | 'left' | 'rejoined' | 'repair' | 'hinted'>
  > {
    return {
      relinking: (page) => this.relinking(page),
      rerouted: (page) => this.rerouted(page),
      left: (page) => this.left(page),
      rejoined: (page) => this.rejoined(page),
      repair: () => this.repair(),
      hinted: (page, parent) => this.#mass.hints.listed(page, parent, this.#mass.massOf(parent)),
    }
  }

  /** The links of a page are known for the first time. */
  joined(page: number): void {
    this.#mass.stays?.joined(page)
  }

  relinking(page: number): void {
    const { services } = this.#mass
    const { links } = services
    if (services.isHeld(page)) this.begin()
    links.seek(page)
    this.#oldTargets = links.targets.slice(links.start, links.end)
  }

  /** What the page has passed on moves from its old targets to its new ones: along links on both lists, only the difference. */
  rerouted(page: number): void {
    const mass = this.#mass
    const { links } = mass.services
    links.seek(page)
    const targets = links.targets.subarray(links.start, links.end)
    const old = this.#oldTargets
    this.#oldTargets = noPages
    mass.stays?.relinked(page, old, targets)
    if (!mass.services.isHeld(page)) return
    const moving = mass.damping * mass.passedBy(page)
    if (old.length === 0) this.#giveBack(-moving)
    if (targets.length === 0) this.#giveBack(moving)
    const shares = new Map<number, number>()
    for (const target of old) shares.set(target, (shares.get(target) ?? 0) - moving / old.length)
    for (const target of targets) shares.set(target, (shares.get(target) ?? 0) + moving / targets.length)
    for (const [target, share] of shares) {
      if (share === 0) continue
      this.#linksRead++
      this.#parts.receive(target, share)
    }
  }

  left(page: number): void {
    const isFirst = !this.#hasChanged
    this.#mass.isSigned = true
    const moving = this.#mass.damping * this.#mass.passedBy(page)
    this.#mass.left(page)
    this.#parts.lifted?.(page)
    if (!this.#mass.seedsAreCrawled()) this.#gathered.handOut()
    this.#spread(page, -moving)
    if (isFirst) this.#firstChange()
    this.repair()
  }

  rejoined(page: number): void {
    this.#mass.rejoined(page)
  }

  /** From now on mass has a sign, and crumbs are passed on. */
  begin(): void {
    if (!this.#hasChanged) this.#firstChange()
  }

  get #hasChanged(): boolean {
    return this.#threshold < Infinity
  }

  #firstChange(): void {
    this.#mass.isSigned = true
    this.#threshold = 0
    this.count()
  }

  /**
   * Once as many looks as there are pages have found nothing new, no choice passes crumbs on any more. From then on they are counted as what
   * they become. No mass moves, so the order stays as it is.
   */
  #countStill(): void {
    const { services, isCounted } = this.#mass
    if (!isCounted || services.isShard) return
    const count = services.crawledCount()
    if (count !== this.#counted) this.#looks = 0
    this.#counted = count
    if (++this.#looks <= count) return
    this.#mass.isSigned = true
    this.count()
  }

  #addStays(): void {
    const mass = this.#mass
    mass.stays = new Stays(
      mass,
      () => this.#gathered.mass(),
      mass.coverage(mass.held(true)),
      this.#parts.residualMax,
    )
  }

  /** After a look: passes on crumbs that are too large, as far as the work of one look goes. */
  repair(): void {
    const mass = this.#mass
    if (!mass.isSigned) {
      this.#countStill()
      return
    }
    if (++this.#looks > this.#counted || mass.services.crawledCount() > growth * this.#counted) this.count()
    mass.stays?.settle()
    mass.stays?.revalue()
    const end = this.#linksRead + linksMax
    while (this.#linksRead < end) {
      if (this.#queue.length > 0) this.#push(this.#queue.shift())
      else if (Math.abs(this.#gathered.mass()) > this.#limitOf(mass.trusted.count)) {
        this.#linksRead += mass.trusted.count
        this.#gathered.handOut()
      } else return
    }
  }

  /** Smaller crumbs rest on a page with this many links. */
  #limitOf(links: number): number {
    return this.#threshold * Math.max(linksShareMin, links / this.#meanLinks)
  }

  #push(page: number): void {
    const mass = this.#mass
    const { links } = mass.services
    if (!mass.services.isHeld(page)) return
    links.seek(page)
    if (Math.abs(mass.resting.array[page]) <= this.#limitOf(links.end - links.start)) return
    const passed = mass.liftCrumbs(page)
    this.#parts.lifted?.(page)
    this.#spread(page, passed)
  }

  /** Passes an amount on along the current links of a page. */
  #spread(page: number, amount: number): void {
    const { links } = this.#mass.services
    links.seek(page)
    const { targets, start, end } = links
    this.#linksRead += Math.max(1, end - start)
    if (amount === 0) return
    if (start === end) this.#giveBack(amount)
    const share = amount / (end - start)
    for (let i = start; i < end; i++) this.#parts.receive(targets[i], share)
  }

  #giveBack(amount: number): void {
    if (this.#mass.seedsAreCrawled()) {
      this.#gathered.add(amount)
      return
    }
    this.#linksRead += this.#mass.trusted.count
    this.#mass.returnToSeeds(amount, this.#parts.receive)
  }

  /** Sets the threshold, finds all pages above it, and removes rounding errors of sums. */
  count(): void {
    const mass = this.#mass
    const { services } = mass
    const count = Math.max(1, services.crawledCount())
    this.#counted = count
    this.#looks = 0
    this.#meanLinks = Math.max(1, services.links.count / count)
    const most = this.#parts.crumbsMax ?? (services.isShard ? crumbsMaxOnShards : crumbsMax)
    if (this.#hasChanged) this.#threshold = (crumbsMaxOf(count, most) * mass.total) / count
    mass.recount(this.#gathered.mass())
    if (mass.stays === undefined && !services.isShard) {
      this.#addStays()
      mass.stays!.begin()
    }
    const resting = mass.resting.array
    for (let page = services.known() - 1; page >= 0; page--)
      if (Math.abs(resting[page]) > linksShareMin * this.#threshold && services.isHeld(page))
        this.#queue.push(page)
  }

  /** In a crawl that fetches every page once, there is nothing to remember. */
  transfer(state: StateCodec): void {
    if (!this.#mass.isCounted) return
    this.#queue.transfer(state)
    this.#threshold = state.number(this.#threshold)
    this.#meanLinks = state.number(this.#meanLinks)
    this.#counted = state.number(this.#counted)
    this.#looks = state.number(this.#looks)
    this.#returned = state.number(this.#returned)
    if (!this.#mass.isSigned || this.#mass.services.isShard) return
    if (state.isReading) this.#addStays()
    this.#mass.stays!.transfer(state)
  }
}
