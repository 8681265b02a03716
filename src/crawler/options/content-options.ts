/** The options that choose content and links, and give access to sites: the same for the command line, the config file and the library. */
import { resolve } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'
import { ValueError, type ValueKind } from '../../lib/value-kinds.ts'
import type { HostHeader } from '../../web/http/request-headers.ts'
import { isRegion } from '../../web/html/link-filter.ts'
import type { ThreadSettings } from '../world/messages.ts'
import type { OwnHosts } from '../world/site-table.ts'
import { isHostPattern } from '../../web/url/host-pattern.ts'
import { isContentRule } from '../../web/url/content-rules.ts'

export interface ContentOptions {
  /** Take only content of these media types and file extensions: `text/html`, `image/*`, `.pdf`. */
  readonly accept?: readonly string[] | undefined
  /** Take no content of these media types and file extensions. */
  readonly reject?: readonly string[] | undefined
  /** Follow no links with one of these words in rel. */
  readonly ignoreRel?: readonly string[] | undefined
  /** Follow only links inside of these elements, such as `main`. */
  readonly linksFrom?: readonly string[] | undefined
  /** Hosts of your own: `example.org`, `*.example.org`. They get `connectionsPerSite` at a time and no gaps. */
  readonly own?: readonly string[] | undefined
  /** Connections at a time to each host of `own`; default 4. Other hosts get one. */
  readonly connectionsPerSite?: number | undefined
  /** A file with credentials of hosts, `HOST basic USER:PASSWORD` or `HOST bearer TOKEN`, that only its owner may read. */
  readonly auth?: string | undefined
  /** Keep cookies, as `on`, or beginning with those of a file in the format of Netscape. By default none are kept. */
  readonly cookies?: string | undefined
  /** Archive Cookie and Set-Cookie headers; by default a crawl that keeps cookies does not. */
  readonly archiveCookies?: boolean | undefined
  /** Send all requests by these HTTP proxies. */
  readonly proxy?: string | readonly string[] | undefined
  /** A file with more proxies, one URL per line, that only its owner may read. */
  readonly proxies?: string | undefined
}

/** Those that a resume may change. */
export const resumableContent = [
  'accept',
  'reject',
  'ignoreRel',
  'linksFrom',
  'auth',
  'cookies',
  'archiveCookies',
  'proxy',
  'proxies',
] as const
export type ResumableContent = (typeof resumableContent)[number]

/** Each value may be several, with commas between them. */
const listed = (isValid: (text: string) => boolean, expected: string): ValueKind<string> => ({
  read: (text) => {
    const parts = partsOf(text)
    if (parts.length === 0 || !parts.every(isValid)) throw new ValueError(expected)
    return text
  },
  json: ['string'],
})

export const contentValue = listed(
  isContentRule,
  'media types such as text/html or image/*, or file extensions such as .pdf',
)
export const relValue = listed(
  (word) => /^[a-z][a-z0-9-]*$/i.test(word),
  'words of rel such as nofollow or ugc',
)
export const hostsValue = listed(isHostPattern, 'hosts such as example.org, *.example.org or 10.0.0.1:8080')
export const elementValue = listed(
  isRegion,
  'names of elements with start and end tags, such as main, article or div',
)

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Absent if nothing is chosen. */
function allParts(given: readonly string[] | undefined): readonly string[] | undefined {
  const parts = given?.flatMap(partsOf).map((part) => part.toLowerCase()) ?? []
  return parts.length === 0 ? undefined : [...new Set(parts)]
}

const absolute = (path: string | undefined): string | undefined => (path === undefined ? path : resolve(path))

export function ownHosts({ own, connectionsPerSite = 4 }: ContentOptions): OwnHosts | undefined {
  return own === undefined ? undefined : { hosts: own, connections: connectionsPerSite }
}

export function proxyList({ proxy = [] }: Pick<ContentOptions, 'proxy'>): readonly string[] {
  return typeof proxy === 'string' ? [proxy] : proxy
}

export function contentSettings(options: ContentOptions): ContentOptions {
  return {
    accept: allParts(options.accept),
    reject: allParts(options.reject),
    ignoreRel: allParts(options.ignoreRel),
    linksFrom: allParts(options.linksFrom),
    own: allParts(options.own),
    connectionsPerSite: options.connectionsPerSite,
    auth: absolute(options.auth),
    cookies: options.cookies === 'on' ? 'on' : absolute(options.cookies),
    archiveCookies: options.archiveCookies === true ? true : undefined,
    proxy: proxyList(options).length === 0 ? undefined : options.proxy,
    proxies: absolute(options.proxies),
  }
}

/** The settings of a resumed crawl. An empty list ends a choice. */
export function resumedContent(before: ContentOptions, options: ContentOptions): ContentOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return contentSettings({ ...before, ...Object.fromEntries(given) })
}

/** Refuses options that contradict each other. */
export function checkContent({
  own = [],
  connectionsPerSite,
  cookies,
  archiveCookies,
  headers = [],
}: ContentOptions & { readonly headers?: readonly HostHeader[] | undefined }): void {
  if (own.length === 0 && connectionsPerSite !== undefined)
    throw new RankwardError(
      'USAGE',
      'connectionsPerSite (--connections-per-site) needs own (--own HOSTS): all other hosts get one connection at a time.',
    )
  if (cookies === undefined && archiveCookies === true)
    throw new RankwardError(
      'USAGE',
      'archiveCookies (--archive-cookies) needs cookies (--cookies): without it, none are kept.',
    )
  if (cookies !== undefined && headers.some(([name]) => name.toLowerCase() === 'cookie'))
    throw new RankwardError(
      'USAGE',
      'cookies (--cookies) and a Cookie header contradict each other: give the cookies in a file, --cookies FILE.',
    )
}

export function contentOfThread({
  accept,
  reject,
  ignoreRel,
  linksFrom,
}: ContentOptions): Pick<ThreadSettings, 'content' | 'links'> {
  return {
    content: { accept, reject },
    links: { ignoredRel: ignoreRel, linksFrom },
  }
}
