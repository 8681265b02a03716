/**
 * What the form of a URL says about its page. For learned-importance.ts.
 *
 *   http://example.org/news/2004/item.php?id=7&lang=en   kind: first directory news, depth 3, .php, keys id and lang
 */
export interface UrlForm {
  /** Pages of one site with equal kinds are probably made alike. */
  readonly kind: string
  /** Path segments that are not empty; 0 for a home page. */
  readonly depth: number
  readonly hasQuery: boolean
}

const extensionMax = 6

export function urlForm(url: string): UrlForm {
  const hostFrom = url.indexOf('://') + 3
  const end = url.indexOf('#')
  const whole = end < 0 ? url : url.slice(0, end)
  const queryFrom = whole.indexOf('?', hostFrom)
  const pathFrom = whole.indexOf('/', hostFrom)
  const pathTo = queryFrom < 0 ? whole.length : queryFrom
  const path = pathFrom < 0 || pathFrom > pathTo ? '' : whole.slice(pathFrom, pathTo)
  const segments = path.split('/').filter((segment) => segment !== '')
  const directory = segments.length > 1 ? segments[0] : ''
  const query = queryFrom < 0 ? '' : queryKeys(whole.slice(queryFrom + 1))
  return {
    kind: `${directory} ${segments.length} ${extensionOf(path)} ${query}`,
    depth: segments.length,
    hasQuery: queryFrom >= 0,
  }
}

/** `/` for a directory, `.html` and the like, or nothing. */
function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name === '') return '/'
  const dot = name.lastIndexOf('.')
  return dot < 0 || name.length - dot > extensionMax ? '' : name.slice(dot)
}

/** The names of the parameters in order, `?` first. */
function queryKeys(query: string): string {
  const keys = query.split(/[&;]/).map((part) => part.split('=', 1)[0])
  return `?${keys.join('&')}`
}
