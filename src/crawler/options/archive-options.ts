/** The options of a crawl's archive and of requisites: the same for the command line, the config file and the library. */
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { RankwardError } from '../../lib/errors.ts'

export interface ArchiveOptions {
  /** Also fetch the style sheets, images, scripts, fonts and media that pages use, within a budget of their own; default false. */
  readonly requisites?: boolean | undefined
  /** Requisites to request; default 100,000. */
  readonly requisiteFiles?: number | undefined
  /** Bytes of requisites; default 10 GB. */
  readonly requisiteBytes?: number | undefined
  /** Name WARC files PREFIX-TIMESTAMP-SERIAL-HOST.warc.gz; default `rankward-THREAD-SERIAL.warc.gz`. */
  readonly warcPrefix?: string | undefined
  /**
   * CDXJ indexes of other archives, not compressed. A response with a payload that one of them has is archived as a reference to
   * it (a WARC revisit), without its body.
   */
  readonly dedupAgainst?: readonly string[] | undefined
  /** Who crawls, what for, and as part of which collection: in the warcinfo of each WARC file and in WACZ files. */
  readonly operator?: string | undefined
  readonly description?: string | undefined
  readonly collection?: string | undefined
}

export interface ArchiveSettings {
  /** How WARC files are named; absent for the default. */
  readonly warcNames?: WarcNames | undefined
  /** CDXJ indexes of other archives, whose payloads are not archived again. */
  readonly dedupAgainst?: readonly string[] | undefined
  /** For the warcinfo of each WARC file. */
  readonly operator?: string | undefined
  readonly description?: string | undefined
  readonly collection?: string | undefined
  /** The budget of requisites; absent if only pages are fetched. */
  readonly requisites?: RequisiteSettings | undefined
}

/** Names of WARC files as PREFIX-TIMESTAMP-SERIAL-HOST. */
export interface WarcNames {
  readonly prefix: string
  /** When the crawl began, in 14 digits. */
  readonly timestamp: string
  readonly host: string
}

/** The budget of requisites. */
export interface RequisiteBudget {
  /** Requisites that are requested. */
  readonly files: number
  readonly bytes: number
}

/** The files that pages need to look as they do, and how many of them are fetched. */
export interface RequisiteSettings {
  /** Default: 100,000. */
  readonly files?: number | undefined
  /** Default: 10 GB. */
  readonly bytes?: number | undefined
}

export function archiveSettings(options: ArchiveOptions): ArchiveSettings {
  const { warcPrefix, dedupAgainst, operator, description, collection, requisites } = options
  return {
    warcNames: warcPrefix === undefined ? undefined : warcNamesFor(warcPrefix),
    dedupAgainst: dedupAgainst?.map((path) => resolve(path)),
    operator,
    description,
    collection,
    requisites:
      requisites === true ? { files: options.requisiteFiles, bytes: options.requisiteBytes } : undefined,
  }
}

function warcNamesFor(prefix: string): WarcNames {
  const timestamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const host = hostname().replaceAll(/[^\w.-]/g, '') || 'localhost'
  return { prefix, timestamp, host }
}

/** The budget of requisites with its defaults; of nothing if only pages are fetched. */
export function requisiteBudget({ requisites }: ArchiveSettings): RequisiteBudget {
  if (requisites === undefined) return { files: 0, bytes: 0 }
  return { files: requisites.files ?? 100_000, bytes: requisites.bytes ?? 10_000_000_000 }
}

/** Connections for pages: requisites have a quarter of all for themselves, and those that pages leave. */
export function pageConnections(settings: ArchiveSettings & { readonly connections: number }): number {
  const { connections, requisites } = settings
  return requisites === undefined ? connections : Math.max(1, connections - Math.max(1, connections >> 2))
}

/** Requisites are fetched for the archive. */
export function checkRequisites(
  options: ArchiveOptions & { readonly warc?: boolean | undefined; readonly out?: string | undefined },
): void {
  const { requisites, requisiteFiles, requisiteBytes, warc, out } = options
  if (requisites !== true) {
    if (requisiteFiles === undefined && requisiteBytes === undefined) return
    throw new RankwardError(
      'USAGE',
      'Options requisiteFiles and requisiteBytes of crawl need requisites: true.',
    )
  }
  if (warc ?? out !== undefined) return
  throw new RankwardError(
    'USAGE',
    'Option requisites of crawl needs an archive: give a folder (out), and do not turn warc off.',
  )
}

/** The budget of requisites of a resumed crawl. */
export function resumedRequisites(
  before: RequisiteSettings | undefined,
  { requisiteFiles: files, requisiteBytes: bytes }: ArchiveOptions,
): RequisiteSettings | undefined {
  if (before !== undefined) return { files: files ?? before.files, bytes: bytes ?? before.bytes }
  if (files === undefined && bytes === undefined) return undefined
  throw new RankwardError(
    'USAGE',
    'This crawl fetches no requisites. Whether it does is fixed when it begins: crawl … --requisites.',
  )
}
