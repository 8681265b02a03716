/** Watches the kinds of pages of a crawl. Its state follows from found pages and from facts, in a crawl and in a replay. */
import type { FactListener } from '../../../engine/fact.ts'
import { registeredDomain } from '../../../web/url/site.ts'
import { TrapWatch, type FetchedPage } from '../../../web/traps/trap-watch.ts'
import { isOriginal, isSameBody, noCopy, type CopyOf } from '../../world/copy.ts'
import type { PageTable } from '../../world/page-table.ts'
import type { PartState, RememberedCrawl } from '../part-state.ts'
import type { OpenedCrawl, OpenedPart, RunningPart } from '../running-part.ts'

interface TrapState extends PartState {
  readonly watch: TrapWatch
}

export function remember(crawl: RememberedCrawl): TrapState {
  const watch = new TrapWatch({ domainOf: registeredDomain })
  return {
    watch,
    discovered: (page, url, isSeed) => watch.found(page, url, isSeed),
    facts: replayed(watch, crawl),
    transfer: (codec) => watch.transfer(codec),
    get byteLength() {
      return watch.byteLength
    },
  }
}

export function open(crawl: OpenedCrawl): OpenedPart {
  const { watch } = crawl.state as TrapState
  return { begin: () => watching(watch, crawl) }
}

function watching(watch: TrapWatch, { pages, engine, settings }: OpenedCrawl): RunningPart {
  return {
    permission(page, url) {
      // A page named by the user is never a trap. A resume may have turned detection off.
      if (pages.depth(page) === 0 || !settings.traps) return undefined
      const verdict = watch.verdict(url, (other) => pages.findUrl(other) >= 0)
      if (verdict.standing === 'closed') {
        const { reason, row } = verdict
        return { kind: 'refuse', cause: 'limit', error: `trap-${reason}`, text: rowText(row) }
      }
      return verdict.standing === 'good' || !engine.pages.mayDemote(page) ? undefined : { kind: 'last' }
    },
    fetched({ page, result, isFirst, isRedirect, copy, links, linkCount, knownBefore }) {
      if (!isFirst) return
      note(watch, pages, page, {
        links,
        linkCount,
        knownBefore,
        isRedirect,
        copy,
        text: result.textLow,
        shape: result.shape ?? 0,
        pairs: result.pairs ?? 0,
        freshPairs: result.freshPairs ?? 0,
        isDistinct: isOriginal(copy) && result.sketch !== undefined,
      })
    },
    failed: (page) => watch.failed(pages.url(page)),
    accountOf: (kind) => watch.accountOf(kind),
  }
}

/** Why its kind or family is closed, for the record. */
function rowText(row: number | undefined): string | undefined {
  return row === undefined
    ? undefined
    : `${row} such pages in a row had brought neither new text nor links to other pages with new text`
}

/** The same from the record. */
function replayed(watch: TrapWatch, { pages, record, engine }: RememberedCrawl): Partial<FactListener> {
  return {
    failed(page, cause) {
      if (cause === 'failed') watch.failed(pages.url(page))
    },
    fetched(page, links, linkCount, _newSites, _reading, isRedirect = false) {
      const outcome = record.outcome(page)
      note(watch, pages, page, {
        links,
        linkCount,
        // The engine gets the fact next.
        knownBefore: engine.known,
        isRedirect,
        copy: outcome ?? noCopy,
        text: outcome?.prints?.[2] ?? 0,
        shape: outcome?.shape ?? 0,
        pairs: outcome?.pairs ?? 0,
        freshPairs: outcome?.freshPairs ?? 0,
        // Only originals have a recorded sketch.
        isDistinct: outcome?.sketch !== undefined,
      })
    },
  }
}

/** `original`: the page that it duplicates; -1 if none. */
type CopyNote = Pick<FetchedPage, 'isCopy' | 'isSameText' | 'isAlike'> & { readonly original: number }

/** What trap detection is told of a fetched page. */
interface TrapNote {
  readonly links: Uint32Array
  readonly linkCount: number
  /** Pages from this number on were found on it. */
  readonly knownBefore: number
  readonly isRedirect: boolean
  readonly copy: CopyOf
  /** A word of the fingerprint of its text, and one of its shape: its text without digits. */
  readonly text: number
  readonly shape: number
  /** The pairs of words in its text that were looked at, and those that are new to its site. */
  readonly pairs: number
  readonly freshPairs: number
  /**
   * Whether it has enough text to be compared, digits included, and is no duplicate or near-duplicate of an earlier page.
   * Its numbers are then content: another page with the same shape does not make it a repetition.
   */
  readonly isDistinct: boolean
}

function note(watch: TrapWatch, known: PageTable, page: number, told: TrapNote): void {
  const { url, parent = -1 } = known.found(page)
  const foundOn = parent < 0 ? undefined : known.found(parent)
  const grandparent = foundOn?.parent ?? -1
  const { isCopy, isSameText, isAlike, original } = copyNote(told.copy)
  const { links, linkCount, knownBefore, isRedirect, text, pairs, freshPairs } = told
  // Listed: objects made of others take several microseconds.
  watch.fetched(page, url, {
    links,
    linkCount,
    knownBefore,
    isRedirect,
    isCopy,
    isSameText,
    isAlike,
    text,
    shape: told.isDistinct ? 0 : told.shape,
    pairs,
    freshPairs,
    original: original < 0 ? undefined : known.url(original),
    ancestors: [parent, grandparent],
    foundOn: foundOn?.url,
  })
}

/**
 * The input of trap detection. A page with the same body as another and different links has repeated content,
 * but is not a copy. A page with the same links, or a copy found on a copy, is a copy.
 */
function copyNote(copy: CopyOf): CopyNote {
  const { duplicateOf, sameText = false, siteOriginal, sameLinks = false, copyOnCopy, nearDuplicateOf } = copy
  const isCopy = isSameBody(copy) && (sameLinks || copyOnCopy !== undefined)
  return {
    isCopy,
    isSameText: sameText || (isSameBody(copy) && !isCopy),
    isAlike: nearDuplicateOf !== undefined,
    original: siteOriginal ?? duplicateOf ?? nearDuplicateOf ?? -1,
  }
}
