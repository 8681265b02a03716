/**
 * Renders pages, a few at a time, in one browser. It is replaced when it has rendered many pages, takes too much memory, has ended or does
 * not answer. A browser that does not start again is given up: the crawl continues without rendering.
 */
import { Browser } from './browser.ts'
import type { ChromiumOptions } from './chromium.ts'
import type { Rendered, RenderLimits, RenderTask } from './rendering.ts'

const pagesMax = 200
const bytesMax = 1e9
const startsMax = 3

export interface RenderersOptions extends ChromiumOptions {
  readonly atOnce: number
  readonly limits: RenderLimits
}

export class Renderers {
  readonly #options: RenderersOptions
  readonly #waiting: (() => void)[] = []
  #browser: Promise<Browser | undefined> | undefined
  #busy = 0
  #isClosed = false
  #failedStarts = 0
  /** CPU seconds of earlier browsers. */
  #cpuBefore = 0
  #current: Browser | undefined
  readonly #closing = new Set<Promise<void>>()

  constructor(options: RenderersOptions) {
    this.#options = options
  }

  get cpuSeconds(): number {
    return this.#cpuBefore + (this.#current?.cpuSeconds ?? 0)
  }

  /** Undefined if there is no browser, or it is stopped. */
  async render(task: RenderTask): Promise<Rendered | undefined> {
    const first = await this.#attempt(task)
    // The browser ended, maybe by another page: this one gets a second try.
    return first?.outcome === 'crashed' && this.#current?.isLost === true ? this.#attempt(task) : first
  }

  async #attempt(task: RenderTask): Promise<Rendered | undefined> {
    await this.#turn()
    const browser = await this.#ready()
    if (browser === undefined) this.#handOn()
    return browser?.render(task, this.#options.limits, () => this.#handOn())
  }

  #handOn(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#busy--
    else next()
  }

  /** Waits for a place. */
  async #turn(): Promise<void> {
    if (this.#busy < this.#options.atOnce) this.#busy++
    else
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
  }

  /** Starts a browser, or returns the one that runs. */
  async #ready(): Promise<Browser | undefined> {
    const browser = await this.#browser
    if (browser !== undefined && this.#isWorn(browser) && this.#current === browser) this.#retire(browser)
    if (this.#isClosed || this.#failedStarts >= startsMax) return undefined
    this.#browser ??= this.#start()
    return this.#browser
  }

  #isWorn({ isLost, rendered, bytes }: Browser): boolean {
    // While other pages are rendered, it may not end for its age.
    return isLost || (this.#busy === 1 && (rendered >= pagesMax || bytes > bytesMax))
  }

  async #start(): Promise<Browser | undefined> {
    const browser = await Browser.start(this.#options)
    if (browser === undefined) {
      this.#failedStarts++
      this.#browser = undefined
    } else this.#failedStarts = 0
    this.#current = browser
    return browser
  }

  #retire(browser: Browser): void {
    this.#cpuBefore += browser.cpuSeconds
    this.#browser = this.#current = undefined
    const closing = browser.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const resume of this.#waiting.splice(0)) resume()
    const browser = await this.#browser
    if (browser !== undefined && this.#current === browser) this.#retire(browser)
    await Promise.all(this.#closing)
  }
}
