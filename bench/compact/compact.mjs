// Compacts the record of a crawl. Argument: folder.
import { compact } from '../../dist/crawler/record/compact.js'

const startMs = performance.now()
const result = await compact(process.argv[2])
const { user, system } = process.cpuUsage()
console.log(
  JSON.stringify({
    ...result,
    seconds: (performance.now() - startMs) / 1000,
    cpuSeconds: (user + system) / 1e6,
    peakMB: process.resourceUsage().maxRSS / 1024,
  }),
)
