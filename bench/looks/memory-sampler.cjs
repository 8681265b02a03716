// Preloaded into a process and into its threads (`node --require`): appends their memory to the file SAMPLES every SAMPLE_MS, with COLLECT
// after a garbage collection.
const { appendFileSync } = require('node:fs')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')
const { threadId } = require('node:worker_threads')

const { SAMPLES, SAMPLE_MS, COLLECT } = process.env
if (COLLECT !== undefined) setFlagsFromString('--expose-gc')
const collect = COLLECT === undefined ? () => {} : runInNewContext('gc')
const begin = Date.now()
if (SAMPLES !== undefined) setInterval(sample, Number(SAMPLE_MS)).unref()

function sample() {
  collect()
  const { rss, ...own } = process.memoryUsage()
  const line = { seconds: (Date.now() - begin) / 1000, threadId, rss, ...own }
  appendFileSync(SAMPLES, `${JSON.stringify(line)}\n`)
}
