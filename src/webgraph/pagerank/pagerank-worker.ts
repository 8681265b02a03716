/** The entry of the threads of a PageRank computation: its leader, which is started with a request, and the team of the leader. */
import { parentPort, workerData } from 'node:worker_threads'
import { lead, type RankingRequest } from './pagerank-leader.ts'
import { doTask, type TeamTask } from './pagerank-team.ts'

function post(message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a rule for browser windows; worker threads have no origin
  parentPort!.postMessage(message)
}

const request = workerData as RankingRequest | undefined
if (request !== undefined) await lead(request, post)
else {
  parentPort!.on('message', (task: TeamTask) => {
    doTask(task, (report) => post({ report }))
    post('done')
  })
}
