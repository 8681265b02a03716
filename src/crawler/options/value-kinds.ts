/** Kinds of value that only crawl options have: headers, patterns, addresses. */
import { ValueError, type ValueKind } from '../../lib/value-kinds.ts'
import { isDnsServer } from '../desk/dns-server.ts'
import type { HostHeader } from '../../web/http/request-headers.ts'
import { isHostPattern } from '../../web/url/host-pattern.ts'
import { isUrl } from '../../lib/host.ts'

/** Headers that Rankward sets itself or that have their own option. */
const ownHeaders: Readonly<Record<string, string>> = {
  'user-agent': 'it has its own option',
  host: 'it follows from the URL',
  connection: 'Rankward sets it itself',
  'content-length': 'Rankward sends no bodies',
  'transfer-encoding': 'Rankward sends no bodies',
  'accept-encoding': 'Rankward lists the encodings that it can decode',
}

/** `Name: value`, or `@HOST Name: value` for the hosts that match a pattern. */
export const headerValue: ValueKind<HostHeader> = {
  read: (given) => {
    const [, host, rest] = /^@(\S+)\s+(.*)$/s.exec(given) ?? []
    if (host !== undefined && !isHostPattern(host))
      throw new ValueError("a host before the header, such as '@*.example.org Accept-Language: en'")
    const text = rest ?? given
    const match = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*?)\s*$/su.exec(text)
    if (match === null || /[^\t\u0020-\u007e\u0080-\u00ff]/.test(match[2]))
      throw new ValueError("a header such as 'Accept-Language: en'")
    const why = ownHeaders[match[1].toLowerCase()]
    if (why !== undefined) throw new ValueError(`another header than ${match[1]}: ${why}`)
    return host === undefined ? [match[1], match[2]] : [match[1], match[2], host.toLowerCase()]
  },
  json: ['string'],
}

/** Matched against path and query, or against the whole URL; a pattern that can match neither is refused. */
export const patternValue: ValueKind<string> = {
  read: (text) => {
    if (!/^(?:[/*?\\]|h[t*?])/.test(text))
      throw new ValueError(
        "a pattern for a path such as '/docs/**', or for a URL such as 'https://*.example.org/**'",
      )
    return text
  },
  json: ['string'],
}

/** As in curl: IPv6 addresses in brackets; empty parts match any, or change nothing. */
export const connectToValue: ValueKind<string> = {
  read: (text) => {
    const match = /^(?:\[[^\]]*\]|[^:[\]\s]*):(\d*):(?:\[[^\]]*\]|[^:[\]\s]*):(\d*)$/.exec(text)
    const isPort = (port: string): boolean => port === '' || (Number(port) >= 1 && Number(port) <= 65_535)
    if (match === null || !isPort(match[1]) || !isPort(match[2]))
      throw new ValueError('HOST1:PORT1:HOST2:PORT2 such as example.org:443:127.0.0.1:8443')
    return text
  },
  json: ['string'],
}

export const dnsValue: ValueKind<string> = {
  read: (text) => {
    if (!isDnsServer(text))
      throw new ValueError('the address of a DNS server such as 9.9.9.9 or 127.0.0.1:5353')
    return text
  },
  json: ['string'],
}

export const contactValue: ValueKind<string> = {
  read: (text) => {
    const isWeb = /^https?:\/\/[^/\s]+\S*$/i.test(text) && isUrl(text)
    const isMail = /^(?:mailto:)?[^\s@<>()]+@[^\s@<>()]+$/i.test(text)
    if (!isWeb && !isMail)
      throw new ValueError('a web or e-mail address such as https://example.org/bot or bot@example.org')
    return text
  },
  json: ['string'],
}

export const userAgentValue: ValueKind<string> = {
  read: (text) => {
    if (!/^[\u0020-\u007e]+$/.test(text) || text.trim() === '')
      throw new ValueError('a User-Agent of printable ASCII such as MyCrawler/1.0')
    return text
  },
  json: ['string'],
}

/** Each value may be several, with commas between them. */
export const listed = (isValid: (text: string) => boolean, expected: string): ValueKind<string> => ({
  read: (text) => {
    const parts = partsOf(text)
    if (parts.length === 0 || !parts.every(isValid)) throw new ValueError(expected)
    return text
  },
  json: ['string'],
})

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** All values of such an option; undefined if nothing is chosen. */
export function allParts(given: readonly string[]): readonly string[] | undefined {
  const parts = given.flatMap(partsOf).map((part) => part.toLowerCase())
  return parts.length === 0 ? undefined : [...new Set(parts)]
}
