// Opens the state of a recorded crawl, as `rankward resume` does before its first request. Argument: folder.
import { openState } from '../../dist/crawler/session/crawl-state.js'
import { CrawlFolder } from '../../dist/crawler/record/crawl-folder.js'
import { newCounts } from '../../dist/crawler/record/tally.js'

const folder = CrawlFolder.open(process.argv[2])
const startMs = performance.now()
const state = await openState({
  folder,
  settings: folder.file.options,
  counts: newCounts(),
  onTaken() {},
  onOutOfReach() {},
})
console.log(
  JSON.stringify({
    from: state.restoredFrom,
    last: state.log.last,
    crawled: state.engine.pages.crawledCount,
    known: state.pages.known,
    seconds: (performance.now() - startMs) / 1000,
    cpuSeconds: process.resourceUsage().userCPUTime / 1e6 + process.resourceUsage().systemCPUTime / 1e6,
    peakMB: process.resourceUsage().maxRSS / 1024,
  }),
)
await state.log.close()
