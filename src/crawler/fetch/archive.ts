/**
 * What a fetch thread needs of an archive. A response is held until its verdict; the archive then writes it, in the order of the
 * verdicts. The part that archives (`Part.archive`) implements it; without one, nothing is kept.
 */
import type { HeaderPair } from '../../web/http/request-headers.ts'
import type { ArchiveEnd, Kept, Verdict } from '../world/messages.ts'
import type { CompletedRequest } from './site-connection.ts'

export interface Archive {
  hold(id: number, exchange: HeldExchange): void
  /** A document was made of a response that is held: it is archived with that. */
  attach(id: number, document: Buffer): void
  /** The result; undefined if it could not be written. */
  keep(verdict: Verdict): Kept | undefined
  /** Makes everything written durable; returns the end of the files, or undefined on failure. */
  sync(): ArchiveEnd | undefined
  /** Drops responses without a verdict, and ends the file. */
  close(): void
}

/** A request and its response that wait for a verdict. */
export interface HeldExchange {
  readonly completed: CompletedRequest
  /** Request line and headers as sent. */
  readonly sent: { readonly startLine: string; readonly headers: readonly HeaderPair[] }
  readonly contentType: string | undefined
  /** Of the body as transferred. */
  readonly payloadDigest: string
  /** A document that was made of it, in UTF-8. */
  readonly made?: Buffer | undefined
}

/** Nothing more can be written: the crawl must stop. */
export interface ArchiveBroken {
  readonly code: string
  readonly message: string
}

export type OpenArchive = (onBroken: (broken: ArchiveBroken) => void) => Archive

/** The end of a thread that archives nothing. */
export const noArchive: ArchiveEnd = { serial: -1, length: 0, indexBytes: 0, finished: [] }

export function notKept(id: number): Kept {
  return { id, serial: -1, offset: 0, length: 0, recordId: '' }
}
