/** The HTTP proxies of a crawl. */
import { resolve } from 'node:path'
import { isUrl } from '../../../lib/host.ts'
import { either, listOf, ofKind } from '../../../lib/option-checks.ts'
import { ValueError, type ValueKind } from '../../../lib/value-kinds.ts'
import type { CrawlSettings } from '../../options/crawl-options.ts'
import { list, path, typed, workerFile } from '../../options/option-row.ts'
import type { CliOf, LaterOf, OptionSet, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {}
  interface ResumeOptions extends LaterOf<PartRows, 'resume'> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

export const proxyValue: ValueKind<string> = {
  read: (text) => {
    if (!/^https?:\/\/[^/]/i.test(text) || !isUrl(text))
      throw new ValueError('the URL of an HTTP proxy such as http://proxy.example.org:3128')
    return text
  },
  json: ['string'],
}

type Proxies = string | readonly string[]

const rows = {
  /** Send all requests by these HTTP proxies. */
  proxy: list('url', proxyValue, 'use this HTTP proxy', {
    later: 'both',
    check: typed<Proxies>(either(listOf(ofKind(proxyValue)), ofKind(proxyValue))),
    becomes: (given: Proxies) => (given.length === 0 ? undefined : given),
    shown: shownProxies,
    example: ['http://proxy.example.org:3128'],
  }),
  /** A file with more proxies, one URL per line, that only its owner may read. */
  proxies: path('file', 'URLs of more HTTP proxies, one per line; only you may read the file', {
    later: 'both',
    becomes: (file: string) => resolve(file),
    example: 'proxies.txt',
  }),
} satisfies Rows

export const proxyOptions: OptionSet = {
  heading: 'Requests:',
  rows,
  contradictions: ['proxy', 'proxies'].flatMap((one) =>
    ['dns', 'connectTo'].map((other) => ({
      one,
      other,
      why: 'contradict each other: behind a proxy, the proxy resolves names',
    })),
  ),
  workerFiles: { proxies: workerFile('proxies') },
  /** URLs of proxies may have passwords. */
  recorded: ({ proxy, proxies }) => ({
    proxy: undefined,
    proxies: undefined,
    isProxied: proxy !== undefined || proxies !== undefined,
  }),
}

export function proxyList({ proxy = [] }: Pick<CrawlSettings, 'proxy'>): readonly string[] {
  return typeof proxy === 'string' ? [proxy] : proxy
}

/** Without user names and passwords. */
export function shownProxies(proxy: Proxies | undefined): string[] {
  return proxyList({ proxy }).map((url) => url.replace(/\/\/[^/@]*@/, '//…@'))
}
