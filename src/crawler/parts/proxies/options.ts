/** HTTP proxies. */
import { resolve } from 'node:path'
import { either, listOf, ofKind } from '../../../lib/option-checks.ts'
import { list, path, typed } from '../../options/option-row.ts'
import type { CliOf, LaterOf, OptionSet, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'
import { proxyValue } from '../../options/value-kinds.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {}
  interface ResumeOptions extends LaterOf<PartRows, 'resume'> {}
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows
type Proxies = string | readonly string[]

const rows = {
  /** Send all requests by these HTTP proxies. */
  proxy: list('url', proxyValue, 'use this HTTP proxy', {
    later: 'both',
    check: typed<Proxies>(either(listOf(ofKind(proxyValue)), ofKind(proxyValue))),
    becomes: (given: Proxies) => (given.length === 0 ? undefined : given),
    example: ['http://proxy.example.org:3128'],
  }),
  /** A file with more proxies, one URL per line, that only its owner may read. */
  proxies: path('file', 'URLs of more HTTP proxies, one per line; only you may read the file', {
    later: 'both',
    becomes: (file: string) => resolve(file),
    isLocal: true,
    example: 'proxies.txt',
  }),
} satisfies Rows

export const proxyOptions: OptionSet = {
  heading: 'Requests:',
  rows,
  contradictions: (['proxy', 'proxies'] as const).flatMap((one) =>
    (['dns', 'connectTo'] as const).map((other) => ({
      one,
      other,
      why: 'contradict each other: behind a proxy, the proxy resolves names',
    })),
  ),
}

export function proxyList({ proxy = [] }: { readonly proxy?: Proxies | undefined }): readonly string[] {
  return typeof proxy === 'string' ? [proxy] : proxy
}
