/**
 * A Chromium at work. Each page has a context of its own: cookies, storage and caches end with it. Targets are attached on the session of
 * the browser, so that none runs before its requests are intercepted: from the page alone, shared workers and popups would be missed.
 */
import { readFileSync } from 'node:fs'
import { BrowserPage, within } from './browser-page.ts'
import { CdpGone, type CdpParams } from './cdp.ts'
import { type ChromiumOptions, startChromium, type StartedChromium } from './chromium.ts'
import type { Rendered, RenderLimits, RenderTask } from './rendering.ts'

/** A browser that does not answer for this long is replaced. */
const answerMs = 10_000
const startMs = 30_000
const watchMs = 500
const pageBytes = 4096

interface ProcessInfo {
  readonly type: string
  readonly id: number
  readonly cpuTime: number
}

export class Browser {
  readonly #started: StartedChromium
  readonly #pages = new Map<string, BrowserPage>()
  readonly #sessions = new Map<string, BrowserPage>()
  readonly #cpu = new Map<number, number>()
  /** Pages rendered so far. */
  rendered = 0
  /** CPU seconds of all of its processes, as far as known. */
  cpuSeconds = 0
  /** Bytes in memory of all of its processes, when they were last looked at; 0 where that is not known. */
  bytes = 0
  /** It has ended, or does not answer: it must be replaced. */
  isLost = false

  private constructor(started: StartedChromium) {
    this.#started = started
    const { cdp } = started
    cdp.onEnd = () => this.#lost()
    cdp.on('Target.attachedToTarget', (params) => this.#attached(params))
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => {
      this.#sessions.get(String(sessionId))?.detached(String(sessionId))
      this.#sessions.delete(String(sessionId))
    })
    for (const event of pageEvents)
      cdp.on(event, (params, session) => {
        const page = this.#sessions.get(session ?? '')
        if (page !== undefined) page.event(event, params, session!)
        else if (event === 'Fetch.requestPaused')
          cdp.post(
            'Fetch.failRequest',
            { requestId: params.requestId, errorReason: 'BlockedByClient' },
            session,
          )
      })
  }

  /** Undefined if it does not start. */
  static async start(options: ChromiumOptions): Promise<Browser | undefined> {
    const started = startChromium(options)
    const browser = new Browser(started)
    const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }
    const answer = within(startMs, started.cdp.send('Target.setAutoAttach', attach)).catch(() => undefined)
    if ((await answer) !== undefined) return browser
    await browser.close()
    return undefined
  }

  /** `ended` is called when nothing of the page is left in the browser. */
  async render(task: RenderTask, limits: RenderLimits, ended: () => void): Promise<Rendered> {
    const { cdp } = this.#started
    const page = new BrowserPage(cdp, task, limits)
    const watch = setInterval(() => void this.look(limits), watchMs)
    let context: string | undefined
    try {
      context = String((await this.#answered('Target.createBrowserContext', {})).browserContextId)
      this.#pages.set(context, page)
      cdp.post('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: context })
      await this.#answered('Target.createTarget', { url: task.url, browserContextId: context })
      return await page.rendered()
    } catch (error) {
      if (error instanceof CdpGone) return { outcome: 'crashed', targets: [] }
      throw error
    } finally {
      clearInterval(watch)
      this.rendered++
      if (context === undefined) ended()
      else void this.#dispose(context, limits).finally(ended)
    }
  }

  async #dispose(context: string, limits: RenderLimits): Promise<void> {
    if (!this.isLost) await this.look(limits)
    await this.#answered('Target.disposeBrowserContext', { browserContextId: context }).catch(() => {})
    this.#pages.delete(context)
  }

  /** Ends the browser and all of its processes. */
  async close(): Promise<void> {
    this.#lost()
    await this.#started.end()
  }

  /** Looks at the processes: their CPU time and memory. One of a page that takes too much memory is ended. */
  async look({ processBytes }: Pick<RenderLimits, 'processBytes'>): Promise<void> {
    const info = await this.#answered('SystemInfo.getProcessInfo', {}).catch(() => undefined)
    if (info === undefined) return
    let bytes = 0
    for (const { type, id, cpuTime } of info.processInfo as readonly ProcessInfo[]) {
      this.cpuSeconds += Math.max(0, cpuTime - (this.#cpu.get(id) ?? 0))
      this.#cpu.set(id, cpuTime)
      const own = residentBytes(id)
      bytes += own
      if (type === 'renderer' && own > processBytes) endProcess(id)
    }
    this.bytes = bytes
  }

  async #answered(method: string, params: CdpParams): Promise<CdpParams> {
    const result = await within(answerMs, this.#started.cdp.send(method, params))
    if (result !== undefined) return result
    this.#lost()
    throw new CdpGone(`${method}: no answer`)
  }

  #lost(): void {
    this.isLost = true
    for (const page of this.#pages.values()) page.end('crashed')
  }

  #attached({ sessionId, targetInfo }: CdpParams): void {
    const { cdp } = this.#started
    const session = String(sessionId)
    const target = targetInfo as { targetId: string; type: string; browserContextId?: string }
    const page = this.#pages.get(target.browserContextId ?? '')
    if (page === undefined) {
      // Of the browser itself: it gets nothing.
      cdp.post('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, session)
      cdp.post('Runtime.runIfWaitingForDebugger', {}, session)
      return
    }
    this.#sessions.set(session, page)
    page.attached(session, target)
  }
}

const pageEvents = [
  'Fetch.requestPaused',
  'Page.loadEventFired',
  'Page.frameRequestedNavigation',
  'Page.navigatedWithinDocument',
  'Page.windowOpen',
  'Page.javascriptDialogOpening',
  'Inspector.targetCrashed',
]

/** 0 where the system does not tell: then only the limits of the heap hold. */
function residentBytes(pid: number): number {
  try {
    // The pages that it shares with other processes are not its own.
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number)
    return (resident - shared) * pageBytes
  } catch {
    return 0
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
