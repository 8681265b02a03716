/**
 * The kind of a page: what its URL has in common with the pages that the same program makes. Numbers and keys are left
 * open everywhere, names in the last part of the path; of a query only the names of its parameters stay, in order.
 *
 *   http://h/2024/05/17/some-title?page=3&sort=up    h/#/#/#/~?page&sort
 *   http://h/p/12.html                               h/p/#.html
 *   http://h/wiki/Crawler                            h/wiki/~
 *   http://h/a;jsessionid=1F2E/b/                    h/a;~/b/
 */

const numbers = /\d+/g
/** Long runs of letters and digits. Looking ahead for both of them at each place would cost a square. */
const longRun = /[a-z\d_-]{16,}/gi
/** A run that has both is somebody's key. */
const withoutKey = (run: string): string => (/\d/.test(run) && /[a-z]/i.test(run) ? '~' : run)
const pathParameter = /;[^/]*/g

export function kindOf(url: string): string {
  const start = url.indexOf('://') + 3
  const query = url.indexOf('?', start)
  const end = query < 0 ? url.length : query
  const slash = url.indexOf('/', start)
  const path = url
    .slice(slash, end)
    .replace(pathParameter, ';~')
    .replace(longRun, withoutKey)
    .replace(numbers, '#')
  const last = path.lastIndexOf('/') + 1
  const name = path.slice(last)
  const open = path.slice(0, last) + (name === '' || name.includes('#') ? name : '~')
  const host = url.slice(start, slash)
  return query < 0 ? host + open : `${host}${open}?${parameterNames(url.slice(query + 1)).join('&')}`
}

/** The host of a canonical URL, with its port. */
export function hostIn(url: string): string {
  const start = url.indexOf('://') + 3
  return url.slice(start, url.indexOf('/', start))
}

/** Host and first part of the path: `h/tagged/`; `h/` for what lies at the top. */
export function familyOf(url: string): string {
  const start = url.indexOf('://') + 3
  const slash = url.indexOf('/', start)
  const second = url.indexOf('/', slash + 1)
  const query = url.indexOf('?', start)
  const isBelow = second >= 0 && (query < 0 || second < query)
  const host = url.slice(start, slash)
  const top = url.slice(slash, isBelow ? second + 1 : slash + 1)
  // Hosts that are addresses alone are taken together; names are not, also where they differ in numbers.
  const whose = /^[\d.:]+$/.test(host) ? host.replace(numbers, '#') : host
  return whose + top.replace(longRun, withoutKey).replace(numbers, '#')
}

/** Names of a query's parameters, each once, sorted; numbers in them are left open too (`a[12]`). */
export function parameterNames(query: string): string[] {
  const names = query.split('&').map((pair) => {
    const equals = pair.indexOf('=')
    return (equals < 0 ? pair : pair.slice(0, equals)).replace(numbers, '#')
  })
  return [...new Set(names)].toSorted()
}
