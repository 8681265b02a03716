/** A compaction that is killed, or that other processes watch: the record is complete and the same at every moment. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import { changes } from '../src/crawler/read/changes.ts'
import { status } from '../src/crawler/read/status.ts'
import { seededRandom } from '../src/lib/random.ts'
import { compact } from '../src/crawler/record/compact.ts'
import { isCompacted } from '../src/crawler/record/segment-files.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { ChangingWeb } from './support/changing-web.ts'
import { historiesOf, restoredParts } from './support/crawl-answers.ts'
import { replayed, stateOf } from './support/crawl-records.ts'
import { temporaryFolder } from './temporary-folder.ts'

const isFull = process.env.FULL === '1'
const folder = temporaryFolder()
const child = fileURLToPath(new URL('support/compact-child.mjs', import.meta.url))
let folders = 0
/** A continuous crawl of two sessions. */
let out: string
let whole: unknown

beforeAll(async () => {
  const web = new ChangingWeb()
  await web.open()
  const paths = Array.from({ length: 30 }, (_, i) => `/page-${i}`)
  web.put('/', 'the first page', paths)
  for (const path of paths) web.put(path, `the text of ${path}`)
  out = join(folder, 'crawl')
  const first = crawl({
    seeds: [web.url()],
    out,
    allowPrivate: true,
    wait: 0,
    waitPerAddress: 0,
    threads: 1,
    continuous: true,
    rate: 300 * 86_400,
    recrawlPolicy: 'uniform',
    restSeconds: 0.02,
  })
  void first.run()
  await web.again('/page-1', 6)
  first.stop()
  await first.totals
  const second = resumeCrawl({ out })
  void second.run()
  web.put('/page-1', 'page 1 has changed', ['/page-2'])
  await web.again('/page-1', 4)
  second.stop()
  await second.totals
  web.close()
  whole = await contentOf(out)
})

function copied(): string {
  const copy = join(folder, String(folders++))
  cpSync(out, copy, { recursive: true })
  return copy
}

/** Everything that the record has, and the state that a resume restores. */
async function contentOf(path: string): Promise<unknown> {
  const { histories } = await historiesOf(path)
  const { engine, taken } = await replayed(path)
  return [histories, stateOf(engine), taken, { ...status(path), folder: '' }]
}

const small = { packBytes: 2000, segmentBytes: 6000 }

function compacting(path: string, more: object, shell?: string): ChildProcess {
  const command = [process.execPath, child]
  const [name, ...args] = shell === undefined ? command : ['sh', '-c', shell, 'sh', ...command]
  const started = spawn(name, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  started.stdin.write(JSON.stringify({ record: join(path, 'record'), ...small, ...more }))
  return started
}

async function outputOf(process: ChildProcess): Promise<string> {
  const chunks: Buffer[] = []
  process.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(process, 'close')
  return Buffer.concat(chunks).toString()
}

const unfinished = (path: string): string[] =>
  ['log', 'snapshots'].flatMap((name) =>
    readdirSync(join(path, 'record', name)).filter((file) => file.endsWith('.part')),
  )

/** The record is whole, a resume restores the same state, and another compaction succeeds. */
async function expectWhole(path: string): Promise<void> {
  expect(await contentOf(path)).toEqual(whole)
  const copy = join(folder, String(folders++))
  cpSync(path, copy, { recursive: true })
  expect((await restoredParts(copy)).parts).toEqual((await restoredParts(copied())).parts)
  await compact(path)
  expect(await contentOf(path)).toEqual(whole)
  expect(unfinished(path)).toEqual([])
}

describe('a compaction that is killed', () => {
  it('at each step of replacing the files leaves the old record or the new one', async () => {
    let kills = 0
    for (let killAt = 1; ; killAt++) {
      const path = copied()
      const output = await outputOf(compacting(path, { killAt }))
      await expectWhole(path)
      if (output.includes('steps')) break
      kills++
    }
    expect(kills).toBeGreaterThan(8)
  })

  it('at any time leaves the old record or the new one', async () => {
    const seed = Number(process.env.SEED ?? 1)
    const random = seededRandom(seed)
    for (let kill = 0; kill < (isFull ? 60 : 6); kill++) {
      const path = copied()
      const process = compacting(path, { packBytes: 100 })
      const ended = once(process, 'close')
      await once(process.stdout!, 'data')
      await pause(random.fraction() * 60)
      process.kill('SIGKILL')
      await ended
      await expectWhole(path)
    }
  })

  it('or fails because the disk is full leaves the old record', async () => {
    const path = copied()
    const before = readdirSync(join(path, 'record', 'log'))
    // A limit on the size of files stands in for a full disk: 16 blocks of 512 bytes.
    const output = await outputOf(
      compacting(path, { segmentBytes: 1e9 }, `trap '' XFSZ; ulimit -f 16; exec "$@"`),
    )
    expect(output).toMatch(/FILE_UNWRITABLE The record in .* cannot be written/)
    expect(readdirSync(join(path, 'record', 'log'))).toEqual(before)
    expect(unfinished(path)).toEqual([])
    await expectWhole(path)
  })
})

describe('a compaction that others watch', () => {
  it('never shows a reader anything but the whole record', async () => {
    for (let round = 0; round < (isFull ? 40 : 4); round++) {
      const path = copied()
      const process = compacting(path, {})
      const ended = once(process, 'close')
      while (process.exitCode === null) {
        const content = await contentOf(path).catch((error: unknown) => {
          if (!isCompacted(error)) throw error
          return whole
        })
        expect(content).toEqual(whole)
      }
      await ended
    }
  })

  it('leaves open readers the records that they have found', async () => {
    const path = copied()
    const record = await CrawlFolder.open(path).readRecord()
    const read = (): unknown =>
      Array.from({ length: record.known }, (_, page) => [
        record.found(page),
        [...record.versions(page)],
        [...record.looks(page)],
      ])
    const before = read()
    await compact(path)
    expect(read()).toEqual(before)
    await record.refresh()
    expect(read()).toEqual(before)
    record.close()
  })

  it('does not end a list of changes that is followed, nor repeats one', async () => {
    const path = copied()
    const expected: unknown[] = []
    for await (const change of changes(path)) expected.push(change)
    const listed: unknown[] = []
    for await (const change of changes(path, { follow: true })) {
      listed.push(change)
      if (listed.length === 2) await compact(path)
      if (listed.length === expected.length) break
    }
    expect(listed).toEqual(expected)
  })
})

describe('a packed segment', () => {
  it.each(['is cut', 'has a wrong byte'])('that %s is damage, wherever it is', async (damage) => {
    const path = copied()
    await compact(path)
    const log = join(path, 'record', 'log')
    const names = readdirSync(log)
    for (let at = 1; at <= 8; at++) {
      for (const name of names) {
        const file = join(log, name)
        const bytes = readFileSync(file)
        const offset = Math.floor((bytes.length * at) / 8) - 1
        const damaged = Buffer.from(bytes)
        damaged[offset] ^= 1
        writeFileSync(file, damage === 'is cut' ? bytes.subarray(0, offset) : damaged)
        await expect(contentOf(path)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
        writeFileSync(file, bytes)
      }
    }
    expect(await contentOf(path)).toEqual(whole)
  })
})
