/**
 * The numbers of the model that are not options, fitted by hand to the real graphs of docs/synthetic-web.md. Changing
 * one changes every synthetic web; a golden test makes sure that this is meant.
 */
export const model = {
  /** Pages a site, on average, where the number of sites is not given. */
  pagesPerSite: 200,
  /** Sites are popular by their rank in size times a factor between 1/8 and 8. */
  popularityBlur: 8,
  /** Of the links to another site, those to its home page and those to the pages its menus lead to. */
  homePageShare: 0.7,
  popularPageShare: 0.2,
  /** Of the links to other sites, those that a page shares with its section. */
  outerMenuShare: 0.6,
  /** Sites that hang on each home page, and how many of these links are missing. */
  directoryFanOut: 12,
  directoryLostShare: 0.08,
  /** Of the sites without a directory, those that link to no other site. */
  islandShare: 0.2,

  /** The first half of a range has between 0.05 and 0.6 of its pages. */
  cutMin: 0.05,
  cutSpread: 0.55,
  /** A range is a section with probability (6 / pages)^1/2: surely up to 6 pages, never above 2,048. */
  sectionPagesMin: 6,
  sectionPagesMax: 2048,
  /** Ranges from which no link leads out, of those that come second and are at most 1/8 of their site. */
  closedShare: 0.3,
  closedSiteFraction: 8,
  /** Links from a range's head to the head of its second half that are missing. */
  headLostShare: 0.05,

  /** Sections that are trees of pages; in which each page leads to the next; in the rest the first lists all others. */
  treeShare: 0.25,
  chainShare: 0.45,
  chainPagesMax: 256,
  treeFanOutMax: 24,
  childLostShare: 0.03,
  /** Sections whose pages link to the page before and the page after. */
  siblingShare: 0.3,

  /** A range of this many pages shows half as many menu entries as a very large one. */
  menuPagesTypical: 160,
  menuRunPagesMax: 32,
  menuLinksMax: 1024,
  /** Sections whose pages link to the head of a range around them, whatever their menu. */
  wayUpShare: 0.6,
  /** Menu entries that a page leaves out. */
  menuSkippedShare: 0.06,

  /** Links of a page's own text. */
  textRunsMax: 48,
  textRunPagesMax: 8,
} as const

/**
 * No page has more links than this: a listing, a menu and a text at their longest, and 256 for the rest: at most 48 heads,
 * 12 sites of a directory, 2 siblings, 101 links of its own to other sites.
 */
export const degreeMax =
  model.sectionPagesMax + model.menuLinksMax + model.textRunsMax * model.textRunPagesMax + 256
