/**
 * Where pages with scripts stop before they count. One that is to be rendered stays in flight, and keeps the connection of its site,
 * until its scripts have run. The document that they made is read in a fetch thread like any page; links are those of both. If rendering
 * fails, the page counts as it was received.
 */
import { namesOf } from '../../page-field.ts'
import { fetchedFields } from '../../page-fields.ts'
import type { Desk } from '../../desk/desk.ts'
import { ViewRequests, type View } from '../../desk/view-requests.ts'
import { noLinks } from '../../fetch/page-reader.ts'
import type { FetchResult, ResultDraft } from '../../world/fetch-result.ts'
import type { OpenedCrawl, SettledPage } from '../running-part.ts'
import type { Arrival } from '../stations.ts'
import type { ReasonFor, RenderState } from './crawl-render.ts'
import type { Look } from './evidence.ts'
import type { Reason } from './kind-tests.ts'
import type { RenderCounts } from './part.ts'
import { encodeRendered, hasGained, type Gain, type RenderRequest } from './render-record.ts'
import type { Renderers } from './renderers.ts'
import type { BrowserAnswer, Header, Rendered } from './rendering.ts'
import { SharedResponses } from './shared-responses.ts'

interface RenderStationOptions {
  readonly crawl: OpenedCrawl
  readonly desk: Desk
  readonly renderers: Renderers
  readonly burst: number
  readonly counts: RenderCounts
  readonly state: RenderState
  /** Whether the user excludes this URL. */
  readonly isLeftOut: (url: string) => boolean
  readonly reasonFor: ReasonFor
}

/** What happened to a page, until it is settled. */
interface Passed {
  readonly look: Look
  readonly reason?: Reason
  readonly gain?: Gain | undefined
}

/** The fields that the rendered document has in place of the source. */
const contentFields = namesOf(
  fetchedFields,
  ({ from }) => from === 'page' || from === 'links' || from === 'left out',
) as (keyof FetchResult)[]

/** Headers that are about the transfer, or that would have effects beyond the page. */
const droppedHeaders =
  /^(?:set-cookie|content-encoding|content-length|transfer-encoding|connection|keep-alive|alt-svc|strict-transport-security|report-to|reporting-endpoints|nel|link|refresh|clear-site-data)$/i

export class RenderStation {
  readonly #options: RenderStationOptions
  readonly #views: ViewRequests
  readonly #shared = new SharedResponses()
  readonly #passed = new WeakMap<FetchResult, Passed>()
  #isStopped = false

  constructor(options: RenderStationOptions) {
    this.#options = options
    this.#views = new ViewRequests({ desk: options.desk, burst: options.burst })
  }

  /** Pages that are being rendered are requested again in another session. */
  stop(): void {
    this.#isStopped = true
    void this.#options.renderers.close()
  }

  visit({ page, result, isNewContent }: Arrival): Promise<FetchResult> | undefined {
    const { scripts, status, location, failure, broken } = result
    if (scripts === undefined) return undefined
    if (
      failure !== undefined ||
      broken !== undefined ||
      location !== undefined ||
      status < 200 ||
      status > 299
    )
      return undefined
    const { crawl, reasonFor } = this.#options
    const url = crawl.pages.url(page)
    const before = crawl.record.outcome(page)?.render
    const wasRendered = before === 'done' || before === 'cut'
    if (!wasRendered && !isNewContent()) return undefined
    const look = this.#lookOf(result)
    const reason = reasonFor(url, look) ?? (wasRendered ? 'kind' : undefined)
    if (reason === undefined || this.#isUsedUp) {
      ;(result as ResultDraft).render = reason === undefined ? 'static' : 'limit'
      this.#passed.set(result, { look })
      return undefined
    }
    return this.#rendered(page, url, result, look, reason)
  }

  /** A page has its outcome. */
  settled({ page, result }: SettledPage): void {
    const passed = this.#passed.get(result)
    if (passed === undefined) return
    const { crawl, state, counts } = this.#options
    const { look, reason, gain } = passed
    if (reason === undefined) {
      if (result.render === 'limit') counts.limited++
      else {
        counts.static++
        state.tests.passed(hostOf(crawl.pages.url(page)))
      }
      return
    }
    const event = { kind: 'page', page, look, reason, gain } as const
    crawl.record.put('rendered', (into) => encodeRendered(into, event))
    state.learned(crawl.pages.url(page), event)
    if (gain === undefined) {
      counts.failed++
      return
    }
    counts.rendered++
    counts.links += gain.newLinks
    if (reason === 'audit' || reason === 'again') {
      counts.checked++
      if (hasGained(gain)) counts.checkedGains++
    }
  }

  get #isUsedUp(): boolean {
    const { counts, renderers, crawl } = this.#options
    const { pages = Infinity, share = 1 } = crawl.current().render ?? {}
    if (counts.rendered + counts.failed >= pages) return true
    if (share >= 1) return false
    const { user, system } = process.cpuUsage()
    const own = (user + system) / 1e6
    return renderers.cpuSeconds > share * (own + renderers.cpuSeconds)
  }

  /** A page that links to nothing but the menu of its site is suspicious. */
  #lookOf({ scripts, fingerprints, site }: FetchResult): Look {
    if (scripts!.look !== 'plain') return scripts!.look
    const { crawl, state } = this.#options
    const links = Array.from({ length: fingerprints.length / 2 }, (_, i) =>
      crawl.pages.find(fingerprints[2 * i], fingerprints[2 * i + 1]),
    )
    return state.menus.isAll(site, links) ? 'suspicious' : 'plain'
  }

  async #rendered(
    page: number,
    url: string,
    result: FetchResult,
    look: Look,
    reason: Reason,
  ): Promise<FetchResult> {
    const { renderers } = this.#options
    const view = this.#views.open({ site: result.site, url, tookSeconds: result.durationMs / 1000 })
    const task = {
      url,
      headers: headersOf(result),
      body: result.scripts!.html,
      answer: ({ url: file }: { readonly url: string }) => this.#answer(page, view, file),
    }
    const rendered = await renderers.render(task)
    await view.close()
    if (this.#isStopped) return { ...result, ...noLinks, failure: 'aborted', status: 0, location: undefined }
    if (rendered?.html === undefined) {
      const failed: ResultDraft = { ...result, render: rendered?.outcome ?? 'limit' }
      // Without a browser, nothing was tried.
      this.#passed.set(failed, rendered === undefined ? { look } : { look, reason })
      return failed
    }
    const made = await this.#read(page, result, rendered)
    const merged = this.#merged(result, made, rendered)
    this.#passed.set(merged, { look, reason, gain: this.#gain(result, made) })
    return merged
  }

  /** Our response to a request of a page. */
  async #answer(page: number, view: View, file: string): Promise<BrowserAnswer> {
    const url = file.replace(/#.*$/s, '')
    if (this.#options.isLeftOut(url)) return undefined
    return this.#shared.get(url, async () => {
      const answer = await view.request(url)
      const { result, error } = answer
      if (result === undefined) return undefined
      const { counts, crawl } = this.#options
      counts.requests++
      counts.bytes += result.bytes
      const { startMs, durationMs, status, bytes, contentType } = result
      const event: RenderRequest = {
        kind: 'request',
        page,
        url,
        startMs,
        durationMs,
        status,
        bytes,
        error,
        contentType,
      }
      crawl.record.put(
        'rendered',
        (into) => {
          event.warc = answer.place
          encodeRendered(into, event)
        },
        true,
      )
      if (result.failure !== undefined || status === 0) return undefined
      return { status, headers: responseHeaders(result), body: result.body ?? new Uint8Array(0) }
    })
  }

  /** The document as a fetch thread reads it. */
  #read(page: number, result: FetchResult, { html = '', targets }: Rendered): Promise<FetchResult> {
    const { desk, crawl } = this.#options
    const { maxDepth = Infinity } = crawl.current()
    const directives = [
      ...(result.noindex === true ? ['noindex'] : []),
      ...(result.nofollow === true ? ['nofollow'] : []),
    ]
    return new Promise((resolve) => {
      const owner = {
        received(_subject: number, read: FetchResult, thread: number): void {
          desk.line.keep(thread, { id: read.id, drop: true })
          resolve(read)
        },
      }
      const id = desk.line.request(owner, page)
      const leaf = crawl.pages.depth(page) >= maxDepth
      desk.line.read({
        request: {
          id,
          purpose: 'page',
          url: crawl.pages.url(page),
          leaf,
          wantsBody: result.body !== undefined,
        },
        of: result.id,
        site: result.site,
        startMs: result.startMs,
        status: result.status,
        html,
        headers: [
          'content-type',
          'text/html; charset=utf-8',
          ...(directives.length === 0 ? [] : ['x-robots-tag', directives.join()]),
        ],
        links: [...(result.links === '' ? [] : result.links.split('\n')), ...targets],
      })
    })
  }

  #merged(result: FetchResult, made: FetchResult, { outcome }: Rendered): FetchResult {
    const merged: Record<string, unknown> = { ...result }
    for (const name of contentFields) merged[name] = made[name]
    const { pairs = 0, freshPairs = 0 } = made
    return Object.assign(merged as unknown as ResultDraft, {
      render: outcome,
      scripts: undefined,
      // All pages of an application have the same source: they are told apart by what it makes of it.
      bodyLow: made.bodyLow,
      bodyHigh: made.bodyHigh,
      // Those of the source are not new any more when the document is read.
      freshPairs:
        made.freshPairs === undefined ? undefined : Math.min(pairs, freshPairs + (result.freshPairs ?? 0)),
      body: result.body === undefined ? undefined : made.body,
      source: result.body,
    })
  }

  #gain(result: FetchResult, made: FetchResult): Gain {
    const { pages } = this.#options.crawl
    const before = new Set(keysOf(result.fingerprints))
    const added = keysOf(made.fingerprints).filter((key) => !before.has(key))
    return {
      links: added.length,
      newLinks: added.filter((key) => pages.find(Number(key & low32), Number(key >> 32n)) < 0).length,
      textBefore: result.scripts!.text,
      textAfter: made.scripts?.text ?? 0,
    }
  }
}

const low32 = 0xffff_ffffn

/** Fingerprints of links, as numbers. */
function keysOf(fingerprints: Uint32Array): bigint[] {
  return Array.from(
    { length: fingerprints.length / 2 },
    (_, i) => (BigInt(fingerprints[2 * i + 1]) << 32n) | BigInt(fingerprints[2 * i]),
  )
}

function hostOf(url: string): string {
  const start = url.indexOf('://') + 3
  return url.slice(start, url.indexOf('/', start))
}

/** Of the document itself. */
function headersOf({ scripts, contentType }: FetchResult): Header[] {
  const { encoding, policies } = scripts!
  const type = (contentType ?? 'text/html').split(';')[0].trim() || 'text/html'
  // What is not an ASCII superset was converted when it was read.
  const charset = /^(?:utf-16|iso-2022-jp|replacement)/.test(encoding) ? 'utf-8' : encoding
  return [
    { name: 'content-type', value: `${type}; charset=${charset}` },
    ...policies.map((value) => ({ name: 'content-security-policy', value })),
  ]
}

function responseHeaders({ headers = [] }: FetchResult): Header[] {
  const kept: Header[] = []
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (!droppedHeaders.test(headers[i])) kept.push({ name: headers[i], value: headers[i + 1] })
  return kept
}
