/** The options of a crawl's archive. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { anyText, sizeValue, whole } from '../../lib/value-kinds.ts'
import type { CrawlOptions } from './crawl-options.ts'
import { list, off, value } from './option-row.ts'
import type { CliOf, OptionSet, OptionsOf, Rows, SettingsOf } from './option-row.ts'
import { warcPrefixValue } from './value-kinds.ts'

declare module './crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {
    readonly warcNames?: WarcNames | undefined
  }
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

/** Names of WARC files as PREFIX-TIMESTAMP-SERIAL-HOST. */
export interface WarcNames {
  readonly prefix: string
  /** When the crawl began, in 14 digits. */
  readonly timestamp: string
  readonly host: string
}

const rows = {
  /** Write WARC files; default true with a folder, false without. */
  warc: off('write no WARC files, only the record', {
    level: 'common',
    default: ({ out }: { readonly out?: string | undefined }) => out !== undefined,
  }),
  /** Another WARC file is begun after this size; default 1 GB. */
  warcBytesMax: value('b', sizeValue, 'start another WARC file after this size', {
    cli: 'warcSize',
    level: 'config',
    default: 1_000_000_000,
    usual: '1GB',
  }),
  /** gzip level, 0 (none) to 9; default 1. */
  warcLevel: value('n', whole(0, 9), 'gzip level of WARC files, 0 for none', {
    level: 'config',
    default: 1,
  }),
  /** Name WARC files PREFIX-TIMESTAMP-SERIAL-HOST.warc.gz; default `rankward-THREAD-SERIAL.warc.gz`. */
  warcPrefix: value(
    'name',
    warcPrefixValue,
    'name WARC files NAME-TIMESTAMP-SERIAL-HOST.warc.gz (default: rankward-THREAD-SERIAL.warc.gz)',
    { level: 'config', isSetting: false, isLocal: true, example: 'EXAMPLE' },
  ),
  /**
   * CDXJ indexes of other archives, not compressed. A response with a payload that one of them has is archived as a reference to
   * it (a WARC revisit), without its body.
   */
  dedupAgainst: {
    ...list(
      'cdxj',
      anyText('a path'),
      'archive no payloads that the archive of this index has, only references to them',
      {
        level: 'config',
        becomes: (paths: readonly string[]) => paths.map((each) => resolve(each)),
        isLocal: true,
        example: ['earlier/warc/rankward-0-00000.cdxj'],
      },
    ),
    isPath: true,
  },
  /** Who crawls: in the warcinfo of each WARC file and in WACZ files. */
  operator: value('name', anyText('a name'), 'who runs the crawl; recorded in the archive', {
    level: 'config',
    example: 'Example Library',
  }),
  /** What for. */
  description: value('text', anyText('a text'), 'what the crawl is for; recorded in the archive', {
    level: 'config',
    example: 'the site of the library',
  }),
  /** As part of which collection. */
  collection: value('name', anyText('a name'), 'the collection that the archive is part of', {
    level: 'config',
    example: 'library-2026',
  }),
} satisfies Rows

export const archiveOptions: OptionSet = {
  heading: 'Output:',
  rows,
  contradictions: (
    ['warcSize', 'warcLevel', 'warcPrefix', 'dedupAgainst', 'operator', 'description', 'collection'] as const
  ).map((other) => ({ one: 'warc', other, why: 'contradict each other: leave one of them out' })),
  settings: ({ warcPrefix }: CrawlOptions) => ({
    warcNames: warcPrefix === undefined ? undefined : warcNamesFor(warcPrefix),
  }),
}

function warcNamesFor(prefix: string): WarcNames {
  const timestamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const host = hostname().replaceAll(/[^\w.-]/g, '') || 'localhost'
  return { prefix, timestamp, host }
}
