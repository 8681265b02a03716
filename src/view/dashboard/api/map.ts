/** The API of the views Map and Freshness. */

export interface MapQuery {
  /** Without: the sites. With: the directories of this site. */
  readonly site?: string
  /** With `site`: the directory whose children are wanted, such as `/docs/`. Default `/`. */
  readonly path?: string
  /** Default 100. */
  readonly limit?: number
}

/**
 * A map of one part says nothing, so the only site, or the only directory, is opened: `site` and `path` are what the parts
 * are of.
 */
export interface ImportanceMap {
  readonly asOfMs: number
  readonly site?: string | undefined
  readonly path?: string | undefined
  /** True if the crawl knows one site only. */
  readonly isOneSite: boolean
  /** The largest parts by `held + resting`; the last one may be `rest`. */
  readonly parts: readonly MapPart[]
  readonly held: number
  readonly resting: number
}

export interface MapPart {
  /** A site, or a directory or page of it. Absent for the sum of the others. */
  readonly name?: string | undefined
  /** True if it has parts of its own. */
  readonly isFolder: boolean
  readonly pages: number
  readonly waiting: number
  readonly held: number
  /** On pages that are not fetched. */
  readonly resting: number
}

/** Links between the sites with the most mass. */
export interface SiteGraph {
  readonly asOfMs: number
  readonly sites: readonly {
    readonly site: string
    readonly pages: number
    readonly held: number
    readonly resting: number
  }[]
  /** `from` and `to` are positions in `sites`. Without links inside a site. The 2,000 that carry the most. */
  readonly links: readonly {
    readonly from: number
    readonly to: number
    readonly count: number
    readonly carries: number
  }[]
}

/** 404 if the crawl fetches every page once. */
export interface Freshness {
  readonly asOfMs: number
  readonly policy: string
  readonly perDay?: number | undefined
  /** As in `rankward status --json`, under `progress.freshness`. */
  readonly now: object | undefined
  readonly looks: number
  readonly changes: number
  readonly gone: number
  readonly failed: number
  /** Share of the looks that found a change, over time. */
  readonly course: {
    readonly binSeconds: number
    readonly startMs: number
    readonly looks: readonly number[]
    readonly changes: readonly number[]
    readonly discoveries: readonly number[]
    /** [seconds since the start, expected fresh share of the importance of all known pages] */
    readonly fresh: readonly (readonly [number, number])[]
  }
  /** Held pages by the time between their last two looks, or since the last one if that is longer. Without `daysMax`: longer than the other classes. */
  readonly intervals: readonly { readonly daysMax?: number | undefined; readonly pages: number }[]
  readonly newest: readonly {
    readonly page: number
    readonly url: string
    readonly atMs: number
    readonly verdict: string
  }[]
  readonly sites: readonly ChangeCount[]
  readonly pages: readonly ChangeCount[]
}

export interface ChangeCount {
  readonly name: string
  readonly looks: number
  readonly changes: number
  readonly perDay?: number | undefined
}
