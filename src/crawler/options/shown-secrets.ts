/** Options with secrets, as they are shown. */
import { isSecretHeader } from '../../web/http/request-headers.ts'
import { proxyList } from './request-options.ts'
import type { CrawlOptions, CrawlSettings } from './crawl-options.ts'

type Headers = NonNullable<CrawlOptions['headers']>

export function shownHeaders(headers: Headers): Headers {
  return headers.map(([name, value, ...host]) => [name, isSecretHeader(name) ? '…' : value, ...host] as const)
}

/** Without user names and passwords. */
export function shownProxies(options: Pick<CrawlOptions, 'proxy'>): string[] {
  return proxyList(options).map((proxy) => proxy.replace(/\/\/[^/@]*@/, '//…@'))
}

export function shownSecrets(settings: CrawlSettings): CrawlSettings {
  const { headers, proxy } = settings
  return {
    ...settings,
    headers: shownHeaders(headers),
    proxy: proxy === undefined ? undefined : shownProxies({ proxy }),
  }
}
