/** Routes: every view, sort order, filter and page of a list is a fragment of the URL, `#/sites?sort=pages&offset=50`. */

export interface Route {
  readonly view: string
  readonly params: Readonly<Record<string, string>>
}

export type Params = Readonly<Record<string, string | number | undefined>>

export function parseRoute(hash: string): Route {
  const [, path = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? []
  return { view: path === '' ? 'now' : path, params: Object.fromEntries(new URLSearchParams(query)) }
}

/** Parameters without a value are left out. */
export function hrefOf(view: string, params: Params = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  const text = query.toString()
  return `#/${view}${text === '' ? '' : `?${text}`}`
}

/** A whole number of at least 0. */
export function numberIn({ params }: Route, name: string): number | undefined {
  const text = params[name] ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** One of the allowed values, or the first. */
export function choiceIn<Value extends string>(
  { params }: Route,
  name: string,
  values: readonly Value[],
): Value {
  return values.find((value) => value === params[name]) ?? values[0]
}
