import { omissionsOf } from '../../crawler/options/omissions.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CrawlProgress } from '../../crawler/options/crawl-options.ts'
import { LiveView, type LiveViewOptions } from './live.ts'

/**
 * As much of a terminal as the view uses: carriage return, line feed, cursor up, clearing to the end of line
 * and screen.
 */
class Terminal {
  readonly isTTY = true
  columns = 80
  rows = 24
  writes = 0
  #lines: string[] = ['']
  #row = 0
  #column = 0

  write(text: string): void {
    this.writes++
    const tokens = text.replaceAll('\u001b[', '␛').matchAll(/␛(\d*)([AKJ])|[\s\S]/g)
    for (const [token, count, command] of tokens) {
      if (command === 'A') this.#row = Math.max(0, this.#row - Number(count))
      else if (command === 'K') this.#clearLine()
      else if (command === 'J') {
        this.#clearLine()
        this.#lines.length = this.#row + 1
      } else if (token === '\r') this.#column = 0
      else if (token === '\n') {
        this.#row++
        this.#column = 0
        this.#lines[this.#row] ??= ''
      } else {
        const line = this.#lines[this.#row].padEnd(this.#column)
        this.#lines[this.#row] = line.slice(0, this.#column) + token + line.slice(this.#column + 1)
        this.#column++
      }
    }
  }

  get text(): string {
    return this.#lines.join('\n')
  }

  #clearLine(): void {
    this.#lines[this.#row] = this.#lines[this.#row].slice(0, this.#column)
  }
}

let pages = 0
const progress = (): CrawlProgress => ({
  pages: ++pages,
  responded: pages,
  redirects: 0,
  failed: 0,
  temporary: 0,
  unreachable: 0,
  refusedByRobots: 0,
  refusedByLimits: 0,
  ...omissionsOf([]),
  known: 2 * pages,
  waiting: pages,
  bytes: 1000 * pages,
  seconds: pages / 4,
  connections: 1,
  sites: 1,
  guaranteed: 0.5,
  duplicates: 0,
  nearDuplicates: 0,
  hot: undefined,
  errors: {},
  nextDueSeconds: 0,
  phase: 'crawling',
})

function viewOn(screen: Terminal, form: LiveViewOptions['form']): LiveView {
  return new LiveView({ subject: 'https://a.org/', budgets: {}, progress, screen, form, colour: false })
}

beforeEach(() => {
  pages = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the live view', () => {
  it('redraws one frame in place, one write each, and leaves a clean screen', () => {
    const terminal = new Terminal()
    terminal.write('before\n')
    const view = viewOn(terminal, 'frames')
    view.start()
    vi.advanceTimersByTime(1000)
    expect(terminal.writes).toBe(1 + 4)
    expect(terminal.text.match(/Crawling/g)).toHaveLength(1)
    expect(terminal.text).toMatch(/^before\nCrawling https:\/\/a\.org\/\n {2}pages/)
    view.end()
    vi.advanceTimersByTime(5000)
    expect(terminal.text).toBe('before\n')
  })

  it('keeps notes above the frame', () => {
    const terminal = new Terminal()
    const view = viewOn(terminal, 'frames')
    view.start()
    vi.advanceTimersByTime(500)
    view.stopping()
    view.note('Finishing.')
    expect(terminal.text).toMatch(/^Finishing\.\nStopping https/)
    vi.advanceTimersByTime(500)
    expect(terminal.text.match(/Stopping/g)).toHaveLength(1)
    view.end()
    expect(terminal.text).toBe('Finishing.\n')
  })

  it('is a line every ten seconds where there is no terminal', () => {
    const terminal = new Terminal()
    const view = viewOn(terminal, 'lines')
    view.start()
    vi.advanceTimersByTime(9900)
    expect(terminal.text).toBe('')
    vi.advanceTimersByTime(20_000)
    view.end()
    expect(terminal.text.trimEnd().split('\n')).toHaveLength(2)
    expect(terminal.text).toMatch(/^\d+ s: \d+ pages \(/)
  })

  it('shows nothing but notes when progress is not wanted', () => {
    const terminal = new Terminal()
    const view = viewOn(terminal, 'none')
    view.start()
    vi.advanceTimersByTime(60_000)
    view.note('Finishing.')
    view.end()
    expect(terminal.text).toBe('Finishing.\n')
  })
})
