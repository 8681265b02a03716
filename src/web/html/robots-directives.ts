/**
 * The robots directives of a page, from X-Robots-Tag headers and meta elements together: the most restrictive
 * one counts. A header may address one crawler (`otherbot: noindex`); directives for others do not count.
 */
export interface RobotsDirectives {
  readonly noindex: boolean
  readonly nofollow: boolean
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Directives with a value: their colon does not follow the name of a crawler. */
const valued = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

export function robotsDirectives(
  headers: Headers,
  metas: Iterable<string>,
  botName = 'rankward',
): RobotsDirectives {
  const words = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'x-robots-tag' || value === undefined) continue
    for (const line of typeof value === 'string' ? [value] : value) headerWords(line, botName, words)
  }
  for (const content of metas) for (const word of content.split(/[,\s]+/)) words.add(word.toLowerCase())
  const none = words.has('none')
  return { noindex: none || words.has('noindex'), nofollow: none || words.has('nofollow') }
}

function headerWords(line: string, botName: string, words: Set<string>): void {
  let forUs = true
  for (const part of line.toLowerCase().split(',')) {
    const colon = part.indexOf(':')
    const name = part.slice(0, Math.max(0, colon)).trim()
    const addressed = colon !== -1 && !valued.has(name)
    if (addressed) forUs = name === '*' || name === botName.toLowerCase()
    if (!forUs) continue
    for (const word of (addressed ? part.slice(colon + 1) : part).trim().split(/\s+/)) words.add(word)
  }
}
