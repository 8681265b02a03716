// Preloaded into a process and into its threads (`node --require`): appends their memory to the file SAMPLES every SAMPLE_MS.
const { appendFileSync } = require('node:fs')
const { threadId } = require('node:worker_threads')

const { SAMPLES, SAMPLE_MS } = process.env
const begin = Date.now()
if (SAMPLES !== undefined) setInterval(sample, Number(SAMPLE_MS)).unref()

function sample() {
  const { rss, ...own } = process.memoryUsage()
  const line = { seconds: (Date.now() - begin) / 1000, threadId, rss, ...own }
  appendFileSync(SAMPLES, `${JSON.stringify(line)}\n`)
}
