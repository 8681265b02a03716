/**
 * The constants of the model that are not options, fitted by hand to the real graphs of
 * docs/theory/synthetic-web.md. Changing one changes every synthetic web; a golden test catches accidental changes.
 */
export const model = {
  /** Mean number of pages per site if the number of sites is not given. */
  pagesPerSite: 200,
  /** A site's popularity rank is its size rank times a factor between 1/8 and 8. */
  popularityBlur: 8,
  /** Of the links to another site, the shares that lead to its home page and to the pages in its menus. */
  homePageShare: 0.7,
  popularPageShare: 0.2,
  /** Of the links to other sites, the share that a page has in common with its section. */
  outerMenuShare: 0.6,
  /** Sites in the directory of each home page, and the share of missing directory links. */
  directoryFanOut: 12,
  directoryLostShare: 0.08,
  /** Of the sites without a directory, the share without links to other sites. */
  islandShare: 0.2,

  /** The first half of a range has between 0.05 and 0.6 of its pages. */
  cutMin: 0.05,
  cutSpread: 0.55,
  /** A range is a section with probability (6 / pages)^1/2: surely up to 6 pages, never above 2,048. */
  sectionPagesMin: 6,
  sectionPagesMax: 2048,
  /**
   * Closed ranges, without links to the outside, as a share of the second halves of at most 1/8 of their
   * site.
   */
  closedShare: 0.3,
  closedSiteFraction: 8,
  /** Share of missing links from a range's head to the head of its second half. */
  headLostShare: 0.05,

  /**
   * Shares of sections that are trees, and of sections that are chains. In the others the first page lists
   * all pages.
   */
  treeShare: 0.25,
  chainShare: 0.45,
  chainPagesMax: 256,
  treeFanOutMax: 24,
  childLostShare: 0.03,
  /** Share of sections whose pages link to the previous and the next page. */
  siblingShare: 0.3,

  /** A range of this many pages shows half as many menu entries as a very large one. */
  menuPagesTypical: 160,
  menuRunPagesMax: 32,
  menuLinksMax: 1024,
  /** Share of sections whose pages link to the head of an enclosing range, regardless of their menu. */
  wayUpShare: 0.6,
  /** Share of menu entries that a page omits. */
  menuSkippedShare: 0.06,

  /** Links in a page's own text. */
  textRunsMax: 48,
  textRunPagesMax: 8,
} as const

/**
 * Upper bound of the links of a page: the longest listing, menu and text, and 256 for the rest: at most 48
 * heads, 12 sites of a directory, 2 siblings, 101 links of its own to other sites.
 */
export const degreeMax =
  model.sectionPagesMax + model.menuLinksMax + model.textRunsMax * model.textRunPagesMax + 256
