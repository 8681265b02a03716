/** A region of the page whose content comes from the server: loading, failed, empty, or there. */
import { RequestFailure } from './client.ts'
import { html, replace, type Child } from './element.ts'

export class Pending {
  readonly element: HTMLElement
  #run = 0
  #hasContent = false

  constructor(name: string) {
    this.element = html('div', { class: 'pending', 'data-region': name })
  }

  /**
   * Requests something and shows it. While it loads, earlier content stays. A later call overrides an earlier one that is
   * still under way. With `isRefresh`, a failure leaves the content as it is: the header says that the server is gone.
   */
  async load<Body>(
    request: () => Promise<Body>,
    show: (body: Body) => readonly Child[] | void,
    { isRefresh = false } = {},
  ): Promise<void> {
    const run = ++this.#run
    this.element.setAttribute('aria-busy', 'true')
    if (!this.#hasContent) replace(this.element, loading())
    try {
      const body = await request()
      if (run !== this.#run) return
      const children = show(body)
      if (children !== undefined) replace(this.element, ...children)
      this.#hasContent = true
    } catch (error) {
      if (run !== this.#run || isAbort(error)) return
      if (isRefresh && this.#hasContent && error instanceof RequestFailure) return
      this.#hasContent = false
      replace(
        this.element,
        failure(error, () => void this.load(request, show)),
      )
    } finally {
      if (run === this.#run) this.element.removeAttribute('aria-busy')
    }
  }
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** Appears after a moment (style sheet), so that quick responses do not flicker. */
function loading(): HTMLElement {
  return html('p', { class: 'state loading', role: 'status' }, 'Loading…')
}

function failure(error: unknown, retry: () => void): HTMLElement {
  const text = error instanceof Error ? error.message : String(error)
  const code = error instanceof RequestFailure ? error.code : 'internal'
  const heading: Partial<Record<string, string>> = {
    'not-found': 'Not found',
    unavailable: 'Not available',
    unauthorized: 'A token is needed',
    disconnected: 'No connection',
    busy: 'The server is busy',
  }
  return html(
    'div',
    { class: 'state failure', role: 'alert', 'data-code': code },
    html('strong', {}, heading[code] ?? 'This did not work'),
    html('p', {}, text),
    code !== 'not-found' && html('button', { type: 'button', onclick: retry }, 'Try again'),
  )
}

/** Instead of an empty list. */
export function empty(text: string, ...more: readonly Child[]): HTMLElement {
  return html('div', { class: 'state empty' }, html('p', {}, text), ...more)
}
