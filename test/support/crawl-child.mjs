/**
 * A crawl in a process of its own, to be killed. It begins when it is told its options, as JSON on standard input: those
 * of a crawl, or of a resume where they have no seeds. Its clock may be ahead, and it may
 * be interrupted after some pages. Runs the built code.
 */
import { once } from 'node:events'

process.stdin.once('end', () => process.exit())
const [text] = await once(process.stdin, 'data')
const { clockAheadMs = 0, stopAfter = Infinity, ...options } = JSON.parse(text)
if (clockAheadMs > 0) {
  const systemMs = Date.now
  Date.now = () => systemMs() + clockAheadMs
  Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + clockAheadMs })
}
const { crawl, resumeCrawl } = await import('../../dist/bundle/index.js')
let pages = 0
const onEvent = ({ kind }) => {
  if (kind === 'page' && ++pages === stopAfter) running.stop()
}
const running = (options.seeds === undefined ? resumeCrawl : crawl)({ ...options, onEvent })
await running.run()
process.exit()
