// The effect of readers on a crawl: the same crawl over loopback without readers and with a process that
// reads it repeatedly: `status`, then a whole `report`, `duplicates` and `export` in turn, with a pause
// between them. Rounds alternate; prints pages per second of each. `--pages 6000 --rounds 3 --pause 2`; a
// small size finishes in seconds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '6000' },
    rounds: { type: 'string', default: '3' },
    pause: { type: 'string', default: '2' },
  },
})
const cli = join(import.meta.dirname, '..', '..', 'dist', 'bundle', 'main.js')
const server = spawn(process.execPath, [join(import.meta.dirname, '..', 'crawl-memory', 'endless-web.mjs')], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [port] = await once(server.stdout, 'data')
const seed = `http://127.2.0.1:${String(port).trim()}/page-0.html`
const rates = { alone: [], read: [] }
let readings = 0
for (let round = 0; round < Number(values.rounds); round++) {
  for (const isRead of [false, true]) {
    const folder = mkdtempSync(join(tmpdir(), 'rankward-readers-'))
    try {
      const { pages, seconds } = await crawled(join(folder, 'crawl'), isRead)
      rates[isRead ? 'read' : 'alone'].push(pages / seconds)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}
server.kill()
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1]
const shown = (list) => list.map((rate) => rate.toFixed(0)).join(', ')
console.log(
  `pages a second alone: ${shown(rates.alone)}; with readers (${readings} readings): ${shown(rates.read)}`,
)
console.log(`ratio of the medians: ${(median(rates.read) / median(rates.alone)).toFixed(3)}`)

async function crawled(out, isRead) {
  const args = ['crawl', seed, '--out', out, '--pages', values.pages, '--scope', 'any', '--wait', '0']
  const child = spawn(
    process.execPath,
    [
      cli,
      ...args,
      '--no-robots-txt',
      '--allow-private',
      '--no-warc',
      '--strategy',
      'breadth-first',
      '--json',
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  const ended = once(child, 'close')
  let isOver = false
  void ended.then(() => (isOver = true))
  if (isRead) await readUntil(out, () => isOver)
  await ended
  return JSON.parse(text)
}

async function readUntil(out, isOver) {
  const commands = [
    ['status'],
    ['report', '--out', `${out}.html`],
    ['status'],
    ['duplicates'],
    ['export', '--to', `${out}.x`],
  ]
  for (let i = 0; !isOver(); i++) {
    await pause(1000 * Number(values.pause))
    const [command, ...rest] = commands[i % commands.length]
    const reader = spawn(process.execPath, [cli, command, out, ...rest], { stdio: 'ignore' })
    const [code] = await once(reader, 'close')
    if (code === 0) readings++
  }
}
