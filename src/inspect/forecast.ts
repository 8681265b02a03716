/**
 * Forecasts the end of a crawl: which budget is reached first, when, and the guaranteed coverage at that
 * point.
 *
 * Pages and bytes continue at the recent rate. The uncovered mass falls roughly as a power of the pages
 * fetched, because importance does: u(p) = c · p^b, fitted by least squares to the logarithms over the second
 * half of the pages and drawn through the last point. Unobtainable mass (robots.txt, scope) flattens the fit.
 */
export interface CurvePoint {
  readonly seconds: number
  readonly pages: number
  readonly bytes: number
  readonly known: number
  readonly waiting: number
  readonly guaranteed: number | undefined
}

/** The budgets of a crawl, counted from its start. */
export interface Budgets {
  readonly pages?: number | undefined
  readonly failures?: number | undefined
  readonly coverage?: number | undefined
  readonly seconds?: number | undefined
  readonly bytes?: number | undefined
}

export interface Forecast {
  readonly because: 'pages' | 'coverage' | 'time' | 'bytes' | 'finished'
  readonly secondsLeft: number
  /** Pages at the end. */
  readonly pages: number
  /** Guaranteed coverage at that point; undefined if nothing is guaranteed or it is too early to say. */
  readonly coverage: number | undefined
}

const windowSecondsMin = 15
/** Minimum time of observation. */
const seenSecondsMin = 3
/** The fitted law and the rate of discovery are not extrapolated beyond this many times the pages fetched so far. */
const reachFactor = 20

/**
 * The likely end, from the curve so far (in order of time); undefined if it is too early to say, or nothing
 * moves.
 */
export function forecast(curve: readonly CurvePoint[], budgets: Budgets): Forecast | undefined {
  const last = curve.at(-1)
  const since = recentPoint(curve)
  if (last === undefined || since === undefined) return undefined
  const seconds = last.seconds - since.seconds
  const pages = last.pages - since.pages
  if (seconds < seenSecondsMin || pages <= 0) return undefined
  const pagesPerSecond = pages / seconds
  const bytesPerSecond = (last.bytes - since.bytes) / seconds
  const power = uncoveredPower(curve)
  const ends: { because: Forecast['because']; left: number }[] = [
    { because: 'pages', left: leftUntil(budgets.pages, last.pages, pagesPerSecond) },
    { because: 'time', left: leftUntil(budgets.seconds, last.seconds, 1) },
    { because: 'bytes', left: leftUntil(budgets.bytes, last.bytes, bytesPerSecond) },
    {
      because: 'coverage',
      left: leftUntil(
        reachable(last, pagesForCoverage(last, power, budgets.coverage)),
        last.pages,
        pagesPerSecond,
      ),
    },
    {
      because: 'finished',
      left: (reachable(last, last.pages + pagesUntilEmpty(since, last))! - last.pages) / pagesPerSecond,
    },
  ]
  const { because, left } = ends.reduce((a, b) => (b.left < a.left ? b : a))
  if (!Number.isFinite(left)) return undefined
  const pagesAtEnd = Math.round(
    because === 'pages' ? (budgets.pages ?? last.pages) : last.pages + left * pagesPerSecond,
  )
  return { because, secondsLeft: left, pages: pagesAtEnd, coverage: coverageAt(last, power, pagesAtEnd) }
}

/** The guaranteed coverage once this many pages are fetched; undefined if nothing is guaranteed or it is too early to say. */
export function expectedCoverage(curve: readonly CurvePoint[], pages: number): number | undefined {
  const last = curve.at(-1)
  if (last === undefined) return undefined
  return coverageAt(last, uncoveredPower(curve), pages)
}

/** Start of the recent part: the last quarter of the time, and at least 15 seconds. */
function recentPoint(curve: readonly CurvePoint[]): CurvePoint | undefined {
  if (curve.length < 2) return undefined
  const end = curve[curve.length - 1].seconds
  const from = end - Math.max(windowSecondsMin, (end - curve[0].seconds) / 4)
  const index = curve.findIndex(({ seconds }) => seconds >= from)
  return curve[Math.min(index, curve.length - 2)]
}

/** Infinity if this number of pages is too far away to be predicted. */
function reachable({ pages }: CurvePoint, atEnd: number | undefined): number | undefined {
  return atEnd === undefined || atEnd <= reachFactor * pages ? atEnd : Infinity
}

function leftUntil(budget: number | undefined, now: number, perSecond: number): number {
  if (budget === undefined) return Infinity
  if (budget <= now) return 0
  return perSecond > 0 ? (budget - now) / perSecond : Infinity
}

/** Number of pages until none waits, if each page keeps adding as many new ones as recently. */
function pagesUntilEmpty(since: CurvePoint, last: CurvePoint): number {
  const foundPerPage = (last.known - since.known) / (last.pages - since.pages)
  return foundPerPage < 1 ? last.waiting / (1 - foundPerPage) : Infinity
}

/** The exponent b; 0 if the uncovered mass does not fall; undefined if there are too few points. */
function uncoveredPower(curve: readonly CurvePoint[]): number | undefined {
  const last = curve[curve.length - 1]
  const points = curve.filter(
    ({ pages, guaranteed }) =>
      pages > 0 && pages >= last.pages / 2 && guaranteed !== undefined && guaranteed < 1,
  )
  if (points.length < 3 || last.guaranteed === undefined || last.guaranteed >= 1) return undefined
  const xs = points.map(({ pages }) => Math.log(pages))
  const ys = points.map(({ guaranteed }) => Math.log(1 - (guaranteed ?? 0)))
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
  const meanX = mean(xs)
  const meanY = mean(ys)
  const spread = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0)
  if (spread < 1e-3) return undefined
  const together = xs.reduce((sum, x, i) => sum + (x - meanX) * (ys[i] - meanY), 0)
  return Math.min(0, together / spread)
}

function coverageAt(last: CurvePoint, power: number | undefined, pages: number): number | undefined {
  if (last.guaranteed === undefined || last.guaranteed >= 1) return last.guaranteed
  if (power === undefined) return undefined
  return 1 - (1 - last.guaranteed) * (Math.max(pages, last.pages) / last.pages) ** power
}

/**
 * Number of pages at which the goal is reached; undefined without a goal; infinite if never, as far as can be
 * predicted.
 */
function pagesForCoverage(
  last: CurvePoint,
  power: number | undefined,
  goal: number | undefined,
): number | undefined {
  if (goal === undefined || last.guaranteed === undefined) return undefined
  if (last.guaranteed >= goal) return last.pages
  if (power === undefined || power === 0) return Infinity
  return last.pages * ((1 - goal) / (1 - last.guaranteed)) ** (1 / power)
}
