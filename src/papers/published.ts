/** Published results of the papers, for comparison. */

/** Castillo 2004, Table 4.1: average cumulative PageRank and Kendall's tau, in the thesis's order. */
export const castilloTable41: readonly { strategy: string; average: number; tau: number }[] = [
  { strategy: 'backlink-count', average: 0.4952, tau: 0.0157 },
  { strategy: 'partial-pagerank', average: 0.5221, tau: 0.0236 },
  { strategy: 'breadth-first', average: 0.6425, tau: 0.1293 },
  { strategy: 'batch-pagerank', average: 0.6341, tau: 0.1961 },
  { strategy: 'opic', average: 0.6709, tau: 0.2229 },
  { strategy: 'larger-sites-first', average: 0.6749, tau: 0.2498 },
  { strategy: 'historical-pagerank-zero', average: 0.6758, tau: 0.3573 },
  { strategy: 'historical-pagerank-random', average: 0.6977, tau: 0.3689 },
  { strategy: 'historical-pagerank-parent', average: 0.7074, tau: 0.352 },
  { strategy: 'historical-pagerank-omniscient', average: 0.7731, tau: 0.6385 },
  { strategy: 'omniscient', average: 0.7427, tau: 0.6504 },
]

/** Castillo 2004, Table 4.2: speed-ups by bandwidth in bytes per second, for 1, 64 and 256 connections. */
export const castilloTable42: readonly { bandwidth: number; speedUps: readonly [number, number, number] }[] =
  [
    { bandwidth: 200, speedUps: [0.2, 1.6, 3.0] },
    { bandwidth: 2_000, speedUps: [0.7, 3.8, 16.0] },
    { bandwidth: 20_000, speedUps: [1.0, 27.0, 83.3] },
    { bandwidth: 200_000, speedUps: [1.0, 43.0, 114.1] },
    { bandwidth: 2_000_000, speedUps: [1.0, 54.3, 204.3] },
    { bandwidth: 20_000_000, speedUps: [1.0, 54.6, 220.1] },
  ]

/** Castillo 2004, section 4.2.1: the share of pages that were downloaded in less than so many seconds. */
export const castilloDownloads: readonly { seconds: number; share: number }[] = [
  { seconds: 1.5, share: 0.9 },
  { seconds: 3, share: 0.95 },
]

/** Castillo 2004, section 4.5.1: duration and sites of the crawl of .cl, and its shares at the end of two days. */
export const castilloCrawlDays = 8
export const castilloCrawlSites = 50_000
export const castilloRealCrawl: readonly { day: number; pages: number; pageRank: number }[] = [
  { day: 2, pages: 0.5, pageRank: 0.8 },
  { day: 4, pages: 0.8, pageRank: 0.95 },
]

/** Cho and Schonfeld 2007, "Algorithm Efficiency": downloads for a RankMass of 0.98, guaranteed and true. */
export const rankMassEfficiency: Readonly<Record<string, { guaranteed: number; true: number }>> = {
  'l-neighbor': { guaranteed: 7_000_000, true: 65_000 },
  rankmass: { guaranteed: 131_072, true: 27_939 },
  'windowed-rankmass': { guaranteed: 217_918, true: 30_826 },
  optimal: { guaranteed: 27_101, true: 27_101 },
}

/** The same slides, "Algorithm Running Time". No number of iterations is given for RankMass. */
export const rankMassRunningTime: Readonly<
  Record<string, { hours: string; iterations: number | null; documents: number }>
> = {
  'l-neighbor': { hours: '1:27', iterations: 13, documents: 83_638_834 },
  'windowed-rankmass 20%': { hours: '4:39', iterations: 44, documents: 80_622_045 },
  'windowed-rankmass 10%': { hours: '10:27', iterations: 85, documents: 80_291_078 },
  'windowed-rankmass 5%': { hours: '17:52', iterations: 167, documents: 80_139_289 },
  rankmass: { hours: '25:39', iterations: null, documents: 10_350_000 },
}

/** Cho and Garcia-Molina 2003, Table II: optimal fetches per day of five pages that change 1 to 5 times a day. */
export const choFivePages: Readonly<Record<'freshness' | 'age', readonly number[]>> = {
  freshness: [1.15, 1.36, 1.35, 1.14, 0],
  age: [0.84, 0.97, 1.03, 1.07, 1.09],
}
