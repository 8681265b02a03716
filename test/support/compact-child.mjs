/**
 * Compacts a record in a process of its own, to be killed. Its options come as JSON on standard input. With `killAt: n` it kills itself
 * before the nth time that it renames, links or removes a file; it prints how often it does so. Runs the built code.
 */
import { once } from 'node:events'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [text] = await once(process.stdin, 'data')
const { record, killAt, ...options } = JSON.parse(text)
let steps = 0
const killing = (original) =>
  function step(...args) {
    if (++steps === killAt) process.kill(process.pid, 'SIGKILL')
    return original.apply(this, args)
  }
for (const name of ['renameSync', 'linkSync', 'rmSync']) fs[name] = killing(fs[name])
fs.promises.rename = killing(fs.promises.rename)
syncBuiltinESMExports()
const { compactRecord } = await import('../../dist/crawler/record/compaction.js')
process.stdout.write('begins\n')
try {
  await compactRecord(record, options)
  process.stdout.write(`${steps} steps\n`)
} catch (error) {
  process.stdout.write(`${error.code} ${error.message}\n`)
}
process.exit()
