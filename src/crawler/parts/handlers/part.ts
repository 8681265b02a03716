/** Handlers: a user's function sees each fetched page, returns items, and decides which links of the page count. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { durationText, grouped, plural } from '../../../lib/amounts.ts'
import { safe } from '../../read/words.ts'
import { isFetched } from '../../record/outcome-record.ts'
import type { Part } from '../part.ts'
import { handlerOptions } from './options.ts'
import { decodeHandled } from './handled-record.ts'
import { itemTable } from './item-rows.ts'

/** Counts of a crawl with a page handler. */
export interface HandlerCounts {
  readonly items: number
  /** Of the items as JSON lines. */
  readonly itemBytes: number
  /** Pages for which the handler failed. */
  readonly handlerFailures: number
}

declare module '../../options/crawl-options.ts' {
  interface CrawlProgress {
    /** Items of the page handler, and pages for which it failed; undefined without one. */
    readonly handled?: { readonly items: number; readonly failures: number } | undefined
  }
  interface CrawlTotals {
    /** With a page handler: the items, and the pages for which it failed. */
    readonly items?: number | undefined
    readonly handlerFailures?: number | undefined
  }
  interface PartEvents {
    /** The user's page handler threw or took too long. The page has no items, and all of its links count. */
    readonly unhandled: { readonly kind: 'unhandled'; readonly url: string; readonly why: string }
  }
}
declare module '../../options/recorded-page.ts' {
  interface RecordedPage {
    /** Items that the page handler returned; undefined if there are none. */
    readonly items?: number | undefined
    /** Why the page handler failed. */
    readonly handlerError?: string | undefined
  }
}
declare module '../../read/export/destination.ts' {
  interface PartTables {
    readonly items: true
  }
}
declare module '../../read/verify/findings.ts' {
  interface PartFiles {
    readonly items: true
  }
}
declare module '../../read/explanation-parts.ts' {
  interface Explanation {
    /** With a page handler, for a fetched page: its items, and why the handler failed. */
    readonly handled?: { readonly items: number; readonly error?: string | undefined } | undefined
  }
}

export const handlers: Part = {
  name: 'handlers',
  options: handlerOptions,
  isUsed: ({ handler }) => handler !== undefined,
  bodies: ({ handler }) => handler !== undefined,

  work: () => import('./crawl-handlers.ts'),

  shows: {
    row({ handled, items = handled?.items, handlerFailures = handled?.failures ?? 0 }) {
      return items === undefined ? undefined : ['items', itemsText(items, handlerFailures)]
    },

    planRow({ handler }) {
      if (handler === undefined) return undefined
      const { module, code = '', seconds, threads, items } = handler
      const where =
        items === undefined ? 'items.jsonl in the folder' : items === '-' ? 'standard output' : safe(items)
      const limits = `at most ${durationText(seconds)} per page, ${plural(threads, 'thread')}`
      return ['Handles', [`each page with ${safe(module ?? code)}, ${limits}`, `items go to ${where}`]]
    },

    file({ items = 0, folder }) {
      if (items === 0 || folder === undefined) return undefined
      const path = join(folder, 'items.jsonl')
      return existsSync(path) ? ['Items', safe(path)] : undefined
    },

    /** Items are written to a file that is given now, or whose own file was moved away. */
    hasMore({ totals: { items = 0 }, settings, before, folder }) {
      if (items === 0) return false
      const { items: file = join(folder, 'items.jsonl') } = settings.handler ?? {}
      return file !== '-' && (settings.handler?.items !== before.handler?.items || !existsSync(file))
    },

    printsItems: ({ handler }) => handler?.items === '-',

    tables: { items: itemTable },
    files: { name: 'items' },
    async verify({ folder }) {
      const { ItemCheck } = await import('./item-check.ts')
      const check = folder.file.shard === undefined ? ItemCheck.of(folder) : undefined
      return {
        read(group) {
          for (const handled of decodeHandled(group.section('handled'))) check?.handled(handled)
        },
        finish: (findings, crawl) => check?.finish(findings, crawl),
      }
    },

    *recorded(group) {
      for (const { page, itemCount, error } of decodeHandled(group.section('handled')))
        yield [page, { items: itemCount === 0 ? undefined : itemCount, handlerError: error }]
    },

    /** The last result for a page. Only pages with items or a failure have a record of it. */
    async explain({ record, settings }, page) {
      const outcome = record.outcome(page)
      if (settings.handler === undefined || outcome === undefined || !isFetched(outcome)) return {}
      let handled: { items: number; error?: string | undefined } = { items: 0 }
      for await (const { page: other, itemCount, error } of record.entries('handled', decodeHandled))
        if (other === page) handled = error === undefined ? { items: itemCount } : { items: itemCount, error }
      return { handled }
    },

    explained({ handled }) {
      if (handled === undefined) return undefined
      const failure = handled.error === undefined ? [] : [`failed: ${safe(handled.error)}`]
      return ['Handler', [`${plural(handled.items, 'item')} by the page handler`, ...failure]]
    },
  },
}

function itemsText(items: number, failures: number): string {
  const failed = `, which failed for ${plural(failures, 'page')}; \`rankward tail\` has the reasons (handlerError)`
  return `${grouped(items)} by the page handler${failures === 0 ? '' : failed}`
}
