import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'

const folder = temporaryFolder()
const threads = 4

/** Creates the folder as soon as all threads have come so far. */
const code = `
  const { workerData: { module, path, gate, threads }, parentPort } = require('node:worker_threads')
  const count = new Int32Array(gate)
  import(module).then(({ makeFolder }) => {
    Atomics.add(count, 0, 1)
    while (Atomics.load(count, 0) < threads);
    makeFolder(path)
    parentPort.postMessage('made')
  })
`

it('a folder is made by several processes at once, each of which creates what is missing', async () => {
  const path = join(folder, ...Array.from({ length: 60 }, (_, i) => String(i)))
  const gate = new SharedArrayBuffer(4)
  const module = new URL('../../../dist/lib/files/make-folder.js', import.meta.url).href
  const made = Array.from(
    { length: threads },
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker(code, { eval: true, workerData: { module, path, gate, threads } })
        worker.once('message', resolve)
        worker.once('error', reject)
      }),
  )
  expect(await Promise.all(made)).toEqual(['made', 'made', 'made', 'made'])
  expect(existsSync(path)).toBe(true)
})
