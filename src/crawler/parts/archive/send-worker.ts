/** The thread that sends closed WARC files to the archive: hashing gigabytes would delay the crawl. */
import { parentPort, workerData } from 'node:worker_threads'
import { openStore, type FileStore } from '../../../web/store/file-store.ts'
import { claimArchive, isOwnArchive, unclaimedArchive } from './archive-owner.ts'

interface Sending {
  readonly place: string
  readonly crawlId: string
  /** Whether the place may be new. */
  readonly mayClaim: boolean
}

const { place, crawlId, mayClaim } = workerData as Sending
let opened: FileStore | undefined

/** A folder that is not mounted looks like an empty one: files go only to a place that the crawl has claimed. */
async function store(): Promise<FileStore> {
  if (opened !== undefined) return opened
  if (mayClaim) await claimArchive(place, crawlId)
  else if (!(await isOwnArchive(place, crawlId))) throw unclaimedArchive(place)
  return (opened = await openStore(place))
}

parentPort!.on('message', ({ path, name }: { readonly path: string; readonly name: string }) => {
  const sent = store().then((each) => each.send(path, name))
  sent.then(
    () => parentPort!.postMessage({}),
    (error: Error) => parentPort!.postMessage({ error: error.message }),
  )
})
