/** How long the sites of a virtual web rest: the rules of politeness.ts, with the wait and the crawl-delay of each site. */
import { gapSeconds, isTooSlow } from '../../engine/politeness.ts'

export interface SiteWaitsOptions {
  /** How long a site rests after a connection's end: w. */
  readonly waitSeconds: number
  /** A site rests at least this many times as long as its last download took; 0 unless given. */
  readonly waitFactor?: number | undefined
  /** The crawl-delay of each site of the web in seconds; 0 or NaN: none. */
  readonly crawlDelays?: Float64Array | undefined
  /** How long sites with fewer than `smallSitePages` pages rest; as the others unless given. */
  readonly smallSiteWaitSeconds?: number | undefined
  /** 100 unless given. */
  readonly smallSitePages?: number | undefined
  /** How many pages of the web each site has. Needed for `smallSiteWaitSeconds`. */
  readonly siteSizes?: Uint32Array | undefined
}

export class SiteWaits {
  readonly #options: SiteWaitsOptions

  constructor(options: SiteWaitsOptions) {
    this.#options = options
  }

  /** Seconds that a site rests after a connection whose last download took so long. */
  gapSeconds(webSite: number, tookSeconds: number): number {
    const { waitFactor = 0 } = this.#options
    const wait = this.#wait(webSite)
    return gapSeconds({
      wait,
      waitFactor,
      tookSeconds,
      crawlDelaySeconds: this.#crawlDelay(webSite),
      restSeconds: 0,
    })
  }

  /** Is one page of this site fetched and no more, because its crawl-delay is too long? */
  isTooSlow(webSite: number): boolean {
    return (
      this.#options.crawlDelays !== undefined && isTooSlow(this.#crawlDelay(webSite), this.#wait(webSite))
    )
  }

  #crawlDelay(webSite: number): number {
    return this.#options.crawlDelays?.[webSite] || 0
  }

  #wait(webSite: number): number {
    const { waitSeconds, smallSiteWaitSeconds, smallSitePages = 100, siteSizes } = this.#options
    if (smallSiteWaitSeconds === undefined || siteSizes === undefined) return waitSeconds
    return siteSizes[webSite] < smallSitePages ? smallSiteWaitSeconds : waitSeconds
  }
}
