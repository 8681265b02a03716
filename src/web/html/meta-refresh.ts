/**
 * `<meta http-equiv=refresh content="5; url=there">`: the standard's steps, except for fractions of a second,
 * which it drops. A refresh without a URL reloads the page and has no target.
 *
 * https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
 */
export interface Refresh {
  readonly delaySeconds: number
  /** As written: not yet resolved. */
  readonly target: string
}

export function parseRefresh(content: string): Refresh | undefined {
  const delay = /^[\t\n\f\r ]*(\d*)([\d.]*)/.exec(content)!
  if (delay[1] === '' && !delay[2].startsWith('.')) return undefined
  const rest = /^(?:[\t\n\f\r ]*[;,]|[\t\n\f\r ])[\t\n\f\r ]*(.+)$/s.exec(content.slice(delay[0].length))
  if (!rest) return undefined
  const named = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i.exec(rest[1])
  const url = named ? rest[1].slice(named[0].length) : rest[1]
  const delaySeconds = Number.parseFloat(delay[1] + delay[2]) || 0
  return { delaySeconds, target: unquoted(url) }
}

/** A leading quote ends at the next one of its kind; an unclosed quote extends to the end. */
function unquoted(url: string): string {
  const quote = url[0]
  if (quote !== '"' && quote !== "'") return url
  const end = url.indexOf(quote, 1)
  return end === -1 ? url.slice(1) : url.slice(1, end)
}
