/** The content of a sitemap or feed. */
export interface Sitemap {
  /**
   * Pages (`urlset`), other sitemaps (`index`), a list of lines (`text`), or RSS, Atom or JSON Feed (`feed`).
   */
  readonly kind: 'urlset' | 'index' | 'text' | 'feed'
  readonly urls: readonly SitemapUrl[]
  /** The sitemaps that an index names. They may name one another: whoever follows them counts. */
  readonly sitemaps: readonly string[]
  /** When each of these sitemaps was modified, as written in the index. */
  readonly sitemapDates: readonly (string | undefined)[]
  /** There was more than the limits let through, or the compressed file was cut off or damaged. */
  readonly truncated: boolean
}

export interface SitemapUrl {
  /**
   * Canonical, with session ids and tracking parameters as they are; relative addresses are read against the
   * sitemap's.
   */
  readonly url: string
  /** On another site than the sitemap: whether it may speak for that site is for the reader to decide. */
  readonly foreign: boolean
  /**
   * As written: a W3C date in a sitemap, mostly an RFC 822 date in RSS. In a feed, when the entry was
   * changed, otherwise when it was published.
   */
  readonly lastModified?: string
  readonly changeFrequency?: string
  /** Between 0 and 1. */
  readonly priority?: number
  /** The same page in other languages. */
  readonly alternates?: readonly string[]
}

/** The limits of sitemaps.org: 50,000 URLs and 50 MiB, uncompressed. */
export interface SitemapLimits {
  readonly urlsMax: number
  readonly bytesMax: number
}

export const sitemapLimits: SitemapLimits = { urlsMax: 50_000, bytesMax: 50 * 1024 * 1024 }
