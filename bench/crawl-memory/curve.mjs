// The curve of a crawl: memory and processor time by its size.
import { readFileSync } from 'node:fs'

const mb = (bytes) => (bytes / 1e6).toFixed(0).padStart(6)

export class Curve {
  #rows = []
  #step
  #pages = 0
  #cpu = cpuSeconds()

  /** A row for so many pages; `holders` are the names of further columns, in bytes. */
  constructor(step, holders = []) {
    this.#step = step
    const columns = ['rss', 'peak', 'heap', 'arrays', ...holders].map((name) => name.padStart(8)).join('')
    console.log(`  pages     known${columns}  CPU s per 1,000 pages`)
  }

  /** Prints a row if one is due. */
  add(pages, known, holders = () => []) {
    if (pages < this.#pages + this.#step) return
    const { rss, heapTotal, arrayBuffers } = process.memoryUsage()
    const cpu = cpuSeconds()
    this.#rows.push({ known, rss })
    const bytes = [rss, peakBytes(), heapTotal, arrayBuffers, ...holders()].map((value) => `  ${mb(value)}`)
    const spent = ((1000 * (cpu - this.#cpu)) / (pages - this.#pages)).toFixed(3)
    console.log(`${String(pages).padStart(7)} ${String(known).padStart(9)}${bytes.join('')}  ${spent}`)
    this.#cpu = cpu
    this.#pages = pages
  }

  /** The growth of resident memory, by least squares over all but the first quarter of the rows. */
  get summary() {
    const rows = this.#rows.slice(this.#rows.length >> 2)
    const mean = (of) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length
    const x = mean(({ known }) => known)
    const y = mean(({ rss }) => rss)
    const slope = mean((row) => (row.known - x) * (row.rss - y)) / mean(({ known }) => (known - x) ** 2)
    return `peak ${mb(peakBytes()).trim()} MB, ${slope.toFixed(0)} bytes for each further known URL`
  }
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function peakBytes() {
  return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? 0)
}
