/** The options of a crawl's archive. */
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { RankwardError } from '../../../lib/errors.ts'
import { anyText, sizeValue, ValueError, whole, type ValueKind } from '../../../lib/value-kinds.ts'
import type { CrawlOptions } from '../../options/crawl-options.ts'
import { list, off, value } from '../../options/option-row.ts'
import type { CliOf, OptionSet, OptionsOf, Rows, SettingsOf } from '../../options/option-row.ts'
import type { WarcNames } from '../../record/warc-name.ts'
import { bucketAddress, isBucket, recordedPlace } from '../../../web/store/store-address.ts'

declare module '../../options/crawl-options.ts' {
  interface CrawlOptions extends OptionsOf<PartRows> {}
  interface CrawlSettings extends SettingsOf<PartRows> {
    readonly warcNames?: WarcNames | undefined
  }
  interface CrawlCliOptions extends CliOf<PartRows> {}
}
type PartRows = typeof rows

/** The beginning of a file name. */
const warcPrefixValue: ValueKind<string> = {
  read: (text) => {
    if (!/^\w[\w.-]{0,99}$/.test(text))
      throw new ValueError('letters, digits, dots, dashes and underscores, such as news-2026')
    return text
  },
  json: ['string'],
}

const placeValue: ValueKind<string> = {
  read: (text) => {
    if (text.trim() === '') throw new ValueError('s3://BUCKET/PREFIX or a folder')
    if (isBucket(text)) bucketAddress(text)
    return text
  },
  json: ['string'],
}

const rows = {
  /** Write WARC files; default true with a folder, false without. */
  warc: off('write no WARC files, only the record', {
    level: 'common',
    default: ({ out }: { readonly out?: string | undefined }) => out !== undefined,
  }),
  /**
   * Where closed WARC files and their indexes go: `s3://BUCKET/PREFIX`, with `?endpoint=URL` for another store than Amazon's, or a folder.
   * Other machines read them there.
   */
  archive: value('place', placeValue, 'send closed WARC files to s3://BUCKET/PREFIX or to a shared folder', {
    level: 'common',
    becomes: (place: string) => recordedPlace(place),
    example: 's3://bucket/example',
  }),
  /** Delete local WARC files beyond this size once the archive has them; default: never. */
  archiveKeep: value(
    'b',
    sizeValue,
    'delete local WARC files beyond this size once the archive has them (default: keep all)',
    { level: 'config', later: 'both', example: 50_000_000_000 },
  ),
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
    { level: 'config', isSetting: false, example: 'EXAMPLE' },
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
    [
      'archive',
      'archiveKeep',
      'warcSize',
      'warcLevel',
      'warcPrefix',
      'dedupAgainst',
      'operator',
      'description',
      'collection',
    ] as const
  ).map((other) => ({ one: 'warc', other, why: 'contradict each other: leave one of them out' })),
  workerFiles: {
    dedupAgainst: {
      paths: ({ dedupAgainst = [] }) => dedupAgainst,
      with: (settings, paths) => ({ ...settings, dedupAgainst: [...paths] }),
    },
  },
  agree: ({ archive, archiveKeep }) => {
    if (archiveKeep === undefined || archive !== undefined) return
    throw new RankwardError(
      'USAGE',
      'archiveKeep needs an archive: give --archive too, or leave it out. Files that are nowhere else are never deleted.',
    )
  },
  settings: ({ warcPrefix }: CrawlOptions) => ({
    warcNames: warcPrefix === undefined ? undefined : warcNamesFor(warcPrefix),
  }),
  typed: ({ cli: { dedupAgainst = [] } }) => {
    const missing = dedupAgainst.find((path) => !existsSync(path))
    if (missing !== undefined)
      throw new RankwardError(
        'FILE_UNREADABLE',
        `Cannot read the index ${missing} (dedupAgainst): there is no such file.`,
      )
  },
}

function warcNamesFor(prefix: string): WarcNames {
  const timestamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const host = hostname().replaceAll(/[^\w.-]/g, '') || 'localhost'
  return { prefix, timestamp, host }
}
