/** What a renderer is given, and what it returns. */

/** A request that a page makes in the browser. */
export interface BrowserRequest {
  readonly url: string
  readonly method: string
}

/** Our response to it; undefined: it is refused. */
export type BrowserAnswer =
  | { readonly status: number; readonly headers: readonly Header[]; readonly body: Uint8Array }
  | undefined

export interface Header {
  readonly name: string
  readonly value: string
}

/** A page to render: the response that the crawl has received. */
export interface RenderTask {
  readonly url: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  readonly answer: (request: BrowserRequest) => Promise<BrowserAnswer>
}

export interface RenderLimits {
  /** Without the time in which requests of the page are under way. */
  readonly seconds: number
  /** All requests of a page together. */
  readonly waitSeconds: number
  readonly requests: number
  readonly frames: number
  readonly navigations: number
  readonly dialogs: number
  /** Without requests under way: then the page is ready. */
  readonly idleMs: number
  /** Without a load event, a page that is idle is ready after this time. */
  readonly loadMs: number
  /** Of a process of a page. */
  readonly processBytes: number
}

export const renderLimits: RenderLimits = {
  seconds: 15,
  waitSeconds: 120,
  requests: 200,
  frames: 30,
  navigations: 100,
  dialogs: 3,
  idleMs: 500,
  loadMs: 4000,
  processBytes: 700e6,
}

/**
 * - `done`: the page was ready. `cut`: it was not in time, and the document is as it was then.
 * - `timeout`: the page did not answer any more. `crashed`: it, or the browser, ended. `refused`: it broke a limit (dialogs, navigations).
 */
export type RenderOutcome = 'done' | 'cut' | 'timeout' | 'crashed' | 'refused'

export interface Rendered {
  readonly outcome: RenderOutcome
  /** Undefined unless the outcome is `done` or `cut`. */
  readonly html?: string | undefined
  /** Absolute URLs that the page tried to go to. */
  readonly targets: readonly string[]
}
