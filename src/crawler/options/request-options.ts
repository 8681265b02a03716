/** How politely a crawl is, and how it sends requests. */
import { durationText, plural } from '../../lib/amounts.ts'
import { resolve } from 'node:path'
import { defaultWaitFactor, defaultWaitPerAddress } from '../../engine/politeness.ts'
import { RankwardError } from '../../lib/errors.ts'
import { listOf, ofKind, type OptionCheck } from '../../lib/option-checks.ts'
import {
  atLeast,
  durationOrZero,
  durationValue,
  sizeValue,
  ValueError,
  whole,
} from '../../lib/value-kinds.ts'
import { isSecretHeader, type HostHeader } from '../../web/http/request-headers.ts'
import { isHostPattern } from '../../web/url/host-pattern.ts'
import { isConnectTo } from '../desk/addresses.ts'
import { isDnsServer } from '../desk/dns-server.ts'
import type { OwnHosts } from '../world/site-table.ts'
import type { CrawlOptions, CrawlSettings, ResumeOptions } from './crawl-options.ts'
import { inLibrary, list, off, on, path, typed, value, workerFile } from './option-row.ts'
import type { OptionSet, Rows } from './option-row.ts'
import * as values from './value-kinds.ts'
import { version } from './version.ts'

const hostsValue = values.listed(isHostPattern, 'hosts such as example.org, *.example.org or 10.0.0.1:8080')

interface Wait {
  readonly wait?: number | undefined
}

export const politenessRows = {
  /** Seconds between two requests to a site; default 1. A longer crawl-delay takes precedence. */
  wait: value('s', atLeast(0), 'seconds between two pages of a site', {
    level: 'common',
    later: 'both',
    live: { label: 'Gap, seconds', said: (seconds: number) => `gap ${durationText(seconds)}` },
    default: 1,
  }),
  /** The gap is at least this many times the duration of the last download; default 1. */
  waitFactor: value(
    'x',
    atLeast(0),
    'wait at least this many times the duration of the last download (default: 1; 0 with --wait 0)',
    {
      level: 'config',
      later: 'both',
      live: { label: 'Gap, × last download', said: (times: number) => `gap ${times} × the last download` },
      default: ({ wait = 1 }: Wait) => defaultWaitFactor(wait),
      example: 1,
    },
  ),
  /** Seconds between two requests to an address shared by sites; default 0.5, or `wait` if that is less. */
  waitPerAddress: value(
    's',
    atLeast(0),
    'seconds between two requests to an IP address that sites share (default: 0.5, or --wait if less)',
    {
      level: 'config',
      later: 'both',
      default: ({ wait = 1 }: Wait) => defaultWaitPerAddress(wait),
      example: 0.5,
    },
  ),
  /** Pages on one connection, without a gap between them; default 1. */
  perConnection: value('c', whole(1, 1_000_000), 'pages per connection, without a wait between them', {
    level: 'config',
    default: 1,
  }),
  /** Hosts of your own: `example.org`, `*.example.org`. They get `connectionsPerSite` at a time and no gaps. */
  own: list('hosts', hostsValue, 'hosts of your own: several connections at a time, and no wait', {
    becomes: values.allParts,
    example: ['*.example.org'],
  }),
  /** Connections at a time to each host of `own`; default 4. Other hosts get one. */
  connectionsPerSite: value('n', whole(1, 256), 'connections at a time to each host of --own', {
    level: 'config',
    usual: 4,
  }),
  /** Simultaneous connections, never two to one site, except for `own`; default 64. */
  connections: value(
    'n',
    whole(1, 1_000_000),
    'simultaneous connections, never two to one site, --own excepted',
    {
      level: 'common',
      later: 'both',
      live: { label: 'Connections', said: (count: number) => plural(count, 'connection') },
      default: 64,
    },
  ),
  /** Obey robots.txt; default true. */
  robotsTxt: off('do not request or obey robots.txt', { default: true }),
  /** Obey rel=nofollow, robots meta elements and X-Robots-Tag; default true. */
  obeyNofollow: on('do not obey rel=nofollow, robots meta elements and X-Robots-Tag', {
    cli: 'followNofollow',
    isNegated: true,
    default: true,
  }),
} satisfies Rows

export const politenessOptions: OptionSet = {
  heading: 'How politely:',
  rows: politenessRows,
  agree: ({ own = [], connectionsPerSite }: CrawlSettings): void => {
    if (own.length === 0 && connectionsPerSite !== undefined)
      throw new RankwardError(
        'USAGE',
        'connectionsPerSite needs own (--own HOSTS): all other hosts get one connection at a time.',
      )
  },
}

export function ownHosts({
  own,
  connectionsPerSite = 4,
}: Pick<CrawlSettings, 'own' | 'connectionsPerSite'>): OwnHosts | undefined {
  return own === undefined ? undefined : { hosts: own, connections: connectionsPerSite }
}

/** In the library, headers are pairs, or have a host as their third part. */
const header: OptionCheck = (given) => {
  const isHeader =
    Array.isArray(given) && [2, 3].includes(given.length) && given.every((part) => typeof part === 'string')
  if (!isHeader) throw new ValueError("pairs of a name and a value, such as ['Accept-Language', 'en']")
  const [name, text, host] = given as [string, string, string?]
  values.headerValue.read(`${host === undefined ? '' : `@${host} `}${name}: ${text}`)
}

export const requestRows = {
  /** Instead of Rankward's own. */
  userAgent: value('text', values.userAgentValue, "User-Agent header (default: Rankward's own)", {
    later: 'both',
    isSetting: false,
  }),
  /** A contact URL or e-mail address for site owners, part of the User-Agent. */
  contact: value(
    'address',
    values.contactValue,
    'URL or e-mail address for site owners, added to the User-Agent',
    { level: 'common', later: 'both', isSetting: false, example: 'https://example.org/bot' },
  ),
  /** For all hosts, or for those that match a pattern: `['X-Key', 'abc', '*.example.org']`. */
  headers: list(
    "'name: value'",
    values.headerValue,
    "send this header; '@*.example.org name: value' to some hosts only",
    {
      cli: 'header',
      later: 'both',
      check: typed<readonly HostHeader[]>(listOf(header)),
      default: [],
      shown: shownHeaders,
      example: ['Accept-Language: en'],
    },
  ),
  /** A file with credentials of hosts, `HOST basic USER:PASSWORD` or `HOST bearer TOKEN`, that only its owner may read. */
  auth: path('file', '"host basic user:password" or "host bearer token" lines; only you may read the file', {
    later: 'both',
    becomes: (file: string) => resolve(file),
    example: 'auth.txt',
  }),
  /**
   * `HOST1:PORT1:HOST2:PORT2` as in curl: connect to the second for URLs with the first; empty parts match
   * any.
   */
  connectTo: list('h1:p1:h2:p2', values.connectToValue, 'connect to h2:p2 for h1:p1, as in curl', {
    default: [],
    example: ['example.org:443:127.0.0.1:8443'],
  }),
  /** DNS servers, `ADDRESS` or `ADDRESS:PORT`; default: the system's. */
  dnsServers: list('address[:port]', values.dnsValue, 'use this DNS server instead of the system’s', {
    cli: 'dns',
    level: 'config',
    example: ['9.9.9.9'],
  }),
  /** Allow private, local and loopback addresses. */
  allowPrivate: on('allow private, local and loopback addresses', { level: 'common', default: false }),
  /** Accept invalid certificates. */
  insecure: on('accept invalid TLS certificates', { default: false }),
  /** Default true. */
  http2: off('use HTTP/1.1 only', { level: 'config', default: true }),
  /** Longer bodies are truncated; default 10 MB. */
  limitBytes: value('b', sizeValue, 'truncate bodies after this size', {
    cli: 'limitSize',
    default: 10_000_000,
    usual: '10MB',
  }),
  /** Timeout of a request, in seconds; default 30. */
  limitSeconds: value('t', durationValue, 'request timeout', {
    cli: 'limitTime',
    default: 30,
    usual: '30s',
  }),
  /**
   * After this many seconds, a connection below 1 KiB per second is slow: it continues, but does not count
   * towards `connections`. Default 3.
   */
  slowSeconds: value(
    't',
    durationValue,
    'after this time, a connection below 1 KiB/s does not count towards --connections',
    { cli: 'slowAfter', level: 'config', default: 3, usual: '3s' },
  ),
  /** Requests for a page that fails, and for a site that never responded; default 3. */
  attempts: value('n', whole(1, 100), 'requests for a page that fails, and for a site that never responded', {
    default: 3,
  }),
  /** Seconds before the first retry; each further wait is about twice as long. Default 1. */
  retrySeconds: inLibrary(typed<number>(ofKind(atLeast(0)))),
  /** The longest of these waits, in seconds; default 3600. */
  retrySecondsMax: value('t', durationValue, 'longest wait between two attempts at a site', {
    cli: 'retryMax',
    level: 'config',
    later: 'both',
    usual: '1h',
  }),
  /**
   * Seconds to wait when the only pages left are on sites that responded before and are unreachable; default
   * 600.
   */
  waitUnreachableSeconds: value(
    't',
    durationOrZero,
    'how long to wait when only unreachable sites are left, before stopping with exit code 3 (default: 10m; 0: do not wait)',
    { cli: 'waitUnreachable', level: 'config', later: 'both', usual: '10m' },
  ),
} satisfies Rows

export const requestOptions: OptionSet = {
  heading: 'Requests:',
  rows: requestRows,
  settings: ({ userAgent, contact }) => ({
    userAgent: userAgent ?? userAgentOf(contact),
  }),
  resumed: (before: CrawlSettings, { userAgent, contact }: ResumeOptions) => ({
    userAgent: userAgent ?? (contact === undefined ? before.userAgent : userAgentOf(contact)),
  }),
  workerFiles: { auth: workerFile('auth') },
  recorded: ({ headers }) => ({ headers: headers.map(([name]) => name) }),
  check: ({ connectTo = [], dnsServers = [] }: CrawlOptions): void => {
    const rule = connectTo.find((each) => !isConnectTo(each))
    if (rule !== undefined)
      throw new RankwardError('USAGE', `connectTo "${rule}" is invalid: expected HOST1:PORT1:HOST2:PORT2.`)
    const server = dnsServers.find((each) => !isDnsServer(each))
    if (server !== undefined)
      throw new RankwardError('USAGE', `DNS server "${server}" is invalid: expected ADDRESS or ADDRESS:PORT.`)
  },
}

/** Without the values that may be secrets. */
export function shownHeaders(headers: readonly HostHeader[]): HostHeader[] {
  return headers.map(([name, text, ...host]) => [name, isSecretHeader(name) ? '…' : text, ...host] as const)
}

/** The User-Agent, with the crawler's name and the contact address. */
function userAgentOf(contact: string | undefined): string {
  const name = `Rankward/${version}`
  if (contact === undefined) return name
  return `${name} (+${/^\S+@\S+$/.test(contact) && !contact.startsWith('mailto:') ? `mailto:${contact}` : contact})`
}
