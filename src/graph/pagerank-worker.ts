/** The entry of a thread that takes part in a PageRank computation; see `pagerank-team.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { takePart, type PageRankTask } from './pagerank-team.ts'

takePart(workerData as PageRankTask, (report) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a rule for browser windows; worker threads have no origin
  parentPort?.postMessage(report)
})
