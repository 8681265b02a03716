/**
 * One page in the browser, in a context of its own. Its document is the response that the crawl has received; every other request of it
 * is answered by us, or refused. It is read when it is ready: loaded, and without requests for a moment.
 *
 *   target attached ─▶ interception on ─▶ runs ─▶ requests ─▶ answers … ─▶ idle ─▶ document read
 *
 * It follows no navigation: where a page wants to go is recorded as a link.
 */
import { CdpGone, type Cdp, type CdpParams } from './cdp.ts'
import type { BrowserAnswer, Header, Rendered, RenderLimits, RenderOutcome, RenderTask } from './rendering.ts'

/** Requests that a document does not need. */
const unneeded = new Set([
  'Media',
  'Font',
  'TextTrack',
  'Manifest',
  'Prefetch',
  'SignedExchange',
  'Ping',
  'EventSource',
  'CSPViolationReport',
  'FedCM',
])
/** An image of one pixel: pages wait for `load` of their images. */
const pixel: NonNullable<BrowserAnswer> = {
  status: 200,
  headers: [{ name: 'content-type', value: 'image/gif' }],
  body: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
}
/** Workers and frames of a page are watched as the page is. A service worker outlives it. */
const refusedTargets = new Set(['service_worker'])
/** Every page sees the same random numbers, so that two renderings agree. */
const seeded = `{ let s = 0x9e3779b9; Math.random = () => { s = (s + 0x6d2b79f5) | 0; let t = Math.imul(s ^ (s >>> 15), 1 | s); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296 } }`
const viewport = { width: 1280, height: 12_000, deviceScaleFactor: 1, mobile: false }
const tickMs = 50
/** Resolves when the page has time, after all that waits. Its answer may overtake a request, so it is asked twice. */
const idleness = 'new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 0)))'
const quietTimesMin = 2
const quietMs = 1000
/** How long a page that is ready may take to give its document. */
const readMs = 5000

interface Paused {
  readonly requestId: string
  readonly frameId: string
  readonly resourceType: string
  readonly request: {
    readonly url: string
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
  }
}

export class BrowserPage {
  readonly #cdp: Cdp
  readonly #task: RenderTask
  readonly #limits: RenderLimits
  readonly #targets = new Set<string>()
  readonly #frames = new Set<string>()
  /** The session and the target of the page itself; empty until it is attached. */
  #session = ''
  #target = ''
  #isStarted = false
  #isLoaded = false
  #ended: RenderOutcome | undefined
  #open = 0
  #requests = 0
  #navigations = 0
  #dialogs = 0
  /** Milliseconds with a request under way. */
  #waitedMs = 0
  #waitsSince = 0
  #activeAt = performance.now()

  constructor(cdp: Cdp, task: RenderTask, limits: RenderLimits) {
    this.#cdp = cdp
    this.#task = task
    this.#limits = limits
  }

  /** A target of its context: the page itself first, then popups, frames and workers. Called before it runs. */
  attached(session: string, target: { readonly targetId: string; readonly type: string }): void {
    const cdp = this.#cdp
    const isOwn = target.type === 'page' && this.#session === ''
    if (refusedTargets.has(target.type) || (target.type === 'page' && !isOwn)) {
      cdp.post('Target.closeTarget', { targetId: target.targetId })
      this.#navigated()
      return
    }
    cdp.post('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] }, session)
    cdp.post(
      'Target.setAutoAttach',
      { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
      session,
    )
    if (isOwn) {
      this.#session = session
      this.#target = target.targetId
      for (const domain of ['Page', 'Inspector']) cdp.post(`${domain}.enable`, {}, session)
      cdp.post('Emulation.setDeviceMetricsOverride', viewport, session)
      cdp.post('Page.addScriptToEvaluateOnNewDocument', { source: seeded }, session)
    }
    cdp.post('Runtime.runIfWaitingForDebugger', {}, session)
  }

  /** An event of one of its sessions. */
  event(method: string, params: CdpParams, session: string): void {
    switch (method) {
      case 'Fetch.requestPaused':
        this.#paused(params as unknown as Paused, session)
        break
      case 'Page.loadEventFired':
        if (session === this.#session) this.#isLoaded = true
        break
      case 'Page.frameRequestedNavigation':
      case 'Page.navigatedWithinDocument':
        if (params.frameId === this.#target) this.#leadsTo(String(params.url))
        break
      case 'Page.windowOpen':
        this.#leadsTo(String(params.url))
        break
      case 'Page.javascriptDialogOpening':
        this.#cdp.post('Page.handleJavaScriptDialog', { accept: false }, session)
        if (++this.#dialogs > this.#limits.dialogs) this.end('refused')
        break
      case 'Inspector.targetCrashed':
        if (session === this.#session) this.end('crashed')
    }
  }

  /** One of its sessions has ended. */
  detached(session: string): void {
    if (session === this.#session) this.end('crashed')
  }

  end(outcome: RenderOutcome): void {
    this.#ended ??= outcome
  }

  /** Waits until the page is ready, and reads its document. */
  async rendered(): Promise<Rendered> {
    const outcome = await this.#ready()
    const targets = [...this.#targets]
    if (outcome !== 'done' && outcome !== 'cut') return { outcome, targets }
    try {
      const html = await within(readMs, this.#read())
      return html === undefined ? { outcome: this.#ended ?? 'timeout', targets } : { outcome, html, targets }
    } catch (error) {
      if (error instanceof CdpGone) return { outcome: this.#ended ?? 'crashed', targets }
      throw error
    }
  }

  async #ready(): Promise<RenderOutcome> {
    const { seconds, idleMs, loadMs } = this.#limits
    const startedAt = performance.now()
    let quietTimes = 0
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, tickMs))
      const now = performance.now()
      const workedMs = now - startedAt - this.#waitedBy(now)
      if (this.#ended !== undefined) return this.#ended
      if (workedMs >= 1000 * seconds) return 'cut'
      const isIdle = this.#open === 0 && now - this.#activeAt >= idleMs
      if (!isIdle || !this.#isStarted || (!this.#isLoaded && workedMs < loadMs)) quietTimes = 0
      else if (await this.#isQuiet()) {
        if (++quietTimes === quietTimesMin) return 'done'
      } else quietTimes = 0
    }
  }

  /** Whether the page itself has nothing to do: on a busy machine, no request for a while says little. */
  async #isQuiet(): Promise<boolean> {
    const before = this.#activeAt
    const asked = { expression: idleness, awaitPromise: true, returnByValue: true }
    const answer = await within(quietMs, this.#cdp.send('Runtime.evaluate', asked, this.#session)).catch(
      () => undefined,
    )
    return answer !== undefined && this.#activeAt === before && this.#open === 0
  }

  #waitedBy(now: number): number {
    return this.#waitedMs + (this.#open > 0 ? now - this.#waitsSince : 0)
  }

  async #read(): Promise<string> {
    const { root } = await this.#cdp.send('DOM.getDocument', { depth: 0 }, this.#session)
    const { nodeId } = root as { readonly nodeId: number }
    const read = await this.#cdp.send('DOM.getOuterHTML', { nodeId, includeShadowDOM: true }, this.#session)
    return read.outerHTML as string
  }

  #paused({ requestId, frameId, resourceType, request }: Paused, session: string): void {
    const { method, url } = request
    const isDocument = resourceType === 'Document'
    this.#activeAt = performance.now()
    if (isDocument && frameId === this.#target && session === this.#session) {
      if (!this.#isStarted) {
        this.#isStarted = true
        this.#fulfill(requestId, session, { ...this.#task, status: 200 })
        return
      }
      this.#leadsTo(url)
      this.#fail(requestId, session, 'Aborted')
      return
    }
    if (isDocument) this.#frames.add(frameId)
    if (method === 'OPTIONS') this.#fulfill(requestId, session, preflight(request.headers))
    else if (isImage(resourceType, request.headers)) this.#fulfill(requestId, session, pixel)
    else if (this.#isRefused(resourceType, method, url)) this.#fail(requestId, session, 'BlockedByClient')
    else void this.#answer(requestId, session, method, url)
  }

  #isRefused(resourceType: string, method: string, url: string): boolean {
    const { requests, frames, waitSeconds } = this.#limits
    return (
      unneeded.has(resourceType) ||
      (method !== 'GET' && method !== 'HEAD') ||
      !/^https?:/i.test(url) ||
      this.#requests >= requests ||
      this.#frames.size > frames ||
      this.#waitedBy(performance.now()) >= 1000 * waitSeconds ||
      this.#ended !== undefined
    )
  }

  async #answer(requestId: string, session: string, method: string, url: string): Promise<void> {
    this.#requests++
    if (this.#open++ === 0) this.#waitsSince = performance.now()
    const answer = await this.#task.answer({ url, method }).catch(() => undefined)
    this.#activeAt = performance.now()
    if (--this.#open === 0) this.#waitedMs += this.#activeAt - this.#waitsSince
    if (answer === undefined) this.#fail(requestId, session, 'BlockedByClient')
    else
      this.#fulfill(requestId, session, method === 'HEAD' ? { ...answer, body: new Uint8Array(0) } : answer)
  }

  #fulfill(
    requestId: string,
    session: string,
    { status, headers, body }: { status: number; headers: readonly Header[]; body: Uint8Array },
  ): void {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    this.#cdp.post(
      'Fetch.fulfillRequest',
      { requestId, responseCode: status, responseHeaders: headers, body: bytes.toString('base64') },
      session,
    )
  }

  #fail(requestId: string, session: string, errorReason: string): void {
    this.#cdp.post('Fetch.failRequest', { requestId, errorReason }, session)
  }

  #leadsTo(url: string): void {
    if (/^https?:/i.test(url) && this.#targets.size < this.#limits.navigations) this.#targets.add(url)
    this.#navigated()
  }

  #navigated(): void {
    if (++this.#navigations > 2 * this.#limits.navigations) this.end('refused')
  }
}

/** Also the icon of a site, which the browser wants for itself. */
function isImage(resourceType: string, headers: Readonly<Record<string, string>>): boolean {
  return resourceType === 'Image' || (resourceType === 'Other' && (headers.Accept ?? '').startsWith('image/'))
}

/** A page may ask whether another origin takes its request: we send it without the page's own headers. */
function preflight(headers: Readonly<Record<string, string>>): NonNullable<BrowserAnswer> {
  const asked = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return {
    status: 204,
    headers: [
      { name: 'access-control-allow-origin', value: asked.origin ?? '*' },
      { name: 'access-control-allow-headers', value: asked['access-control-request-headers'] ?? '*' },
      { name: 'access-control-allow-methods', value: 'GET, HEAD' },
    ],
    body: new Uint8Array(0),
  }
}

/** Undefined if it takes longer. */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
