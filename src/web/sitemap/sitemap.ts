/** The content of a sitemap or feed. */
export interface Sitemap {
  /**
   * Pages (`urlset`), other sitemaps (`index`), a list of lines (`text`), or RSS, Atom or JSON Feed (`feed`).
   */
  readonly kind: 'urlset' | 'index' | 'text' | 'feed'
  readonly urls: readonly SitemapUrl[]
  /** The sitemaps in an index. They may name one another: callers must limit how many they follow. */
  readonly sitemaps: readonly string[]
  /** When each of these sitemaps was modified, as written in the index. */
  readonly sitemapDates: readonly (string | undefined)[]
  /** Whether the limits were exceeded, or the compressed file was truncated or damaged. */
  readonly truncated: boolean
}

export interface SitemapUrl {
  /**
   * Canonical, with session ids and tracking parameters unchanged; relative URLs are resolved against the
   * sitemap's.
   */
  readonly url: string
  /** On another site than the sitemap: the caller decides whether to trust it. */
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
