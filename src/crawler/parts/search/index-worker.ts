/** The thread of an index keeper. Indexing takes at most a twentieth of the time, until the crawl ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { silent } from '../../../lib/progress.ts'
import { WholeCrawl } from '../../read/whole-crawl.ts'
import { indexFolderOf } from './index/index-folder.ts'
import { refreshIndex } from './index/index-refresh.ts'
import { search } from './search.ts'

const pauseMsMin = 10_000
const pauseFactor = 20

const path = workerData as string
const finishing = new AbortController()
let wake = (): void => {}

parentPort!.once('message', () => {
  finishing.abort()
  wake()
})

while (!finishing.signal.aborted) {
  const startMs = performance.now()
  const crawl = WholeCrawl.open(path)
  await refreshIndex(crawl, indexFolderOf(crawl), { progress: silent, isDamaged: false, withTable: false })
  const pauseMs = Math.max(pauseMsMin, pauseFactor * (performance.now() - startMs))
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, pauseMs)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
    if (finishing.signal.aborted) wake()
  })
}
// A search completes the index, also with the stems of the crawl's language.
await search(path, 'x')
