/**
 * Shows a crawl while it runs, on standard error: a frame that is redrawn in place a few times per second or,
 * if that is not a terminal, a line every ten seconds. A frame is one write, and each line overwrites the old
 * one, so that nothing flickers.
 */
import type { CrawlProgress } from '../../crawler/options/crawl-options.ts'
import { RecentRates } from './recent-rates.ts'
import { budgetLeft, type Budgets } from '../../crawler/read/budget-left.ts'
import { frame, progressLine, type CrawlView } from './frame.ts'

const redrawMs = 250
const lineMs = 10_000

/** The part of standard error that the view needs. */
interface Screen {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

export interface LiveViewOptions {
  readonly subject: string
  readonly budgets: Budgets
  readonly progress: () => CrawlProgress
  readonly screen: Screen
  /** none: only notes are shown. */
  readonly form: 'frames' | 'lines' | 'none'
  readonly colour: boolean
}

export class LiveView {
  readonly #options: LiveViewOptions
  readonly #rates = new RecentRates()
  #timer: NodeJS.Timeout | undefined
  #linesDrawn = 0
  #isStopping = false

  constructor(options: LiveViewOptions) {
    this.#options = options
  }

  start(): void {
    const { form } = this.#options
    if (form === 'none') return
    let sinceLineMs = 0
    this.#timer = setInterval(() => {
      this.#rates.add(this.#options.progress())
      sinceLineMs += redrawMs
      if (form === 'frames') this.draw()
      else if (sinceLineMs >= lineMs) {
        sinceLineMs = 0
        this.#options.screen.write(`${progressLine(this.#view())}\n`)
      }
    }, redrawMs)
    // The crawl keeps the process alive; the view must not.
    this.#timer.unref()
  }

  /** Prints a permanent line above the frame. */
  note(text: string): void {
    this.#erase()
    this.#options.screen.write(`${text}\n`)
    if (this.#timer !== undefined && this.#options.form === 'frames') this.draw()
  }

  stopping(): void {
    this.#isStopping = true
  }

  /** Removes the frame. */
  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#erase()
  }

  draw(): void {
    const { screen, colour } = this.#options
    const lines = frame(this.#view(), { columns: screen.columns ?? 80, rows: screen.rows ?? 24, colour })
    const back = this.#linesDrawn === 0 ? '' : `\u001b[${this.#linesDrawn}A`
    screen.write(`\r${back}${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
    this.#linesDrawn = lines.length
  }

  #view(): CrawlView {
    const { subject, budgets } = this.#options
    const progress = this.#options.progress()
    const rates = this.#rates.read()
    return {
      subject,
      budgets,
      progress,
      rates,
      left: budgetLeft(progress, budgets, rates),
      isStopping: this.#isStopping,
    }
  }

  #erase(): void {
    if (this.#linesDrawn > 0) this.#options.screen.write(`\r\u001b[${this.#linesDrawn}A\u001b[J`)
    this.#linesDrawn = 0
  }
}
