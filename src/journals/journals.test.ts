import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ClassicLevel } from 'classic-level'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import type { Journal } from '../engine/journal.ts'
import { workerEntry } from '../lib/worker-entry.ts'
import { openEmbeddedJournal } from './embedded.ts'
import { batchesOf, batchOf, journalCases } from './journals.cases.ts'
import { MemoryJournal } from './memory.ts'

const folder = temporaryFolder()
let folders = 0
const newFolder = (): string => join(folder, `journal-${folders++}`)

const journals: { journal: string; open: () => Promise<Journal> }[] = [
  { journal: 'memory', open: () => Promise.resolve(new MemoryJournal()) },
  { journal: 'embedded', open: () => openEmbeddedJournal(newFolder()) },
]

describe.each(journals)('every journal: $journal', ({ open }) => {
  for (const { guarantee, run } of journalCases) {
    it(guarantee, async () => {
      const journal = await open()
      try {
        await run(journal)
      } finally {
        await journal.close()
      }
    })
  }
})

/** Another process with this program, which has `openEmbeddedJournal` and `batchOf`; one line of output at a time. */
function otherProcess(program: string, shell = 'exec "$@"'): ChildProcessWithoutNullStreams {
  const entry = workerEntry(import.meta.url, './embedded').href
  const source = `
    import { openEmbeddedJournal } from ${JSON.stringify(entry)}
    const batchOf = ${batchOf.toString()}
    ${program}`
  return spawn('sh', ['-c', shell, 'sh', process.execPath, '--input-type=module', '-e', source])
}

async function outputOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  await once(child, 'close')
  return output
}

describe('the embedded journal', () => {
  it('has after reopening what was flushed, and goes on after it', async () => {
    const path = newFolder()
    for (let round = 0; round < 4; round++) {
      const journal = await openEmbeddedJournal(path)
      const expected = Array.from({ length: round * 100 }, (_, i) => batchOf(i))
      expect(await batchesOf(journal)).toEqual(expected)
      for (let i = 0; i < 100; i++) journal.append(batchOf(round * 100 + i))
      if (round % 2 === 0) await journal.flushed()
      await journal.close()
    }
  })

  it.each([1, 2, 3, 4, 5])(
    'killed in the middle of writing keeps everything flushed and a prefix of the rest (%i)',
    async (run) => {
      const path = newFolder()
      const child = otherProcess(`
        const journal = await openEmbeddedJournal(${JSON.stringify(path)})
        for (let i = 0; ; i++) {
          for (let j = 0; j < 37; j++) journal.append(batchOf(i * 37 + j))
          const flushed = journal.flushed().then(() => process.stdout.write((i + 1) * 37 + '\\n'))
          if (i % 3 === 0) await flushed
        }`)
      let output = ''
      const enough = run * 300
      await new Promise<void>((resolve, reject) => {
        child.stderr.on('data', (chunk) => reject(new Error(String(chunk))))
        child.stdout.on('data', (chunk) => {
          output += String(chunk)
          if (Number(output.trimEnd().split('\n').at(-1)) >= enough) resolve()
        })
      })
      child.kill('SIGKILL')
      await once(child, 'close')
      const flushed = Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1))
      const journal = await openEmbeddedJournal(path)
      const batches = await batchesOf(journal)
      expect(batches.length).toBeGreaterThanOrEqual(flushed)
      expect(batches).toEqual(batches.map((_, i) => batchOf(i)))
      journal.append(batchOf(batches.length))
      await journal.close()
      const again = await openEmbeddedJournal(path)
      expect((await batchesOf(again)).length).toBe(batches.length + 1)
      await again.close()
    },
  )

  it('says that another process has it open', async () => {
    const path = newFolder()
    const journal = await openEmbeddedJournal(path)
    const output = await outputOf(
      otherProcess(
        `await openEmbeddedJournal(${JSON.stringify(path)}).catch((e) => console.log(e.code, e.message))`,
      ),
    )
    expect(output).toBe(
      `FILE_UNWRITABLE The journal in ${path} is in use by another process. Let that crawl end, or choose another folder.\n`,
    )
    await expect(openEmbeddedJournal(path)).rejects.toThrow('in use by another process')
    await journal.close()
  })

  it('rejects every flush once the disk is full, and keeps what was flushed before', async () => {
    const path = newFolder()
    // A limit on the size of files stands in for a full disk: 200 blocks of 512 bytes.
    const child = otherProcess(
      `const journal = await openEmbeddedJournal(${JSON.stringify(path)})
       let flushed = 0
       let failures = 0
       for (let i = 0; i < 3000; i++) {
         journal.append(batchOf(i))
         await journal.flushed().then(() => flushed++, (e) => failures++ === 0 && console.log(e.code, e.message))
       }
       console.log(JSON.stringify({ flushed, failures }))
       await journal.close().catch((e) => console.log(e.code))`,
      `trap '' XFSZ; ulimit -f 200; exec "$@"`,
    )
    const lines = (await outputOf(child)).trimEnd().split('\n')
    expect(lines[0]).toMatch(/^FILE_UNWRITABLE The journal in .* cannot be written \(.+\)\. Make room/)
    const { flushed, failures } = JSON.parse(lines[1]) as { flushed: number; failures: number }
    expect(lines[2]).toBe('FILE_UNWRITABLE')
    expect(flushed).toBeGreaterThan(100)
    expect(failures).toBe(3000 - flushed)
    const journal = await openEmbeddedJournal(path)
    const batches = await batchesOf(journal)
    expect(batches.length).toBeGreaterThanOrEqual(flushed)
    expect(batches).toEqual(batches.map((_, i) => batchOf(i)))
    await journal.close()
  })

  it('cannot be opened where a file stands in the way, and says so', async () => {
    const path = newFolder()
    writeFileSync(path, '')
    await expect(openEmbeddedJournal(path)).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
    await expect(openEmbeddedJournal(join(path, 'below'))).rejects.toThrow(
      /cannot be opened \(.+\)\. Check that/,
    )
  })

  it('does not read on beyond a batch that is missing', async () => {
    const path = newFolder()
    const journal = await openEmbeddedJournal(path)
    for (let i = 0; i < 10; i++) journal.append(batchOf(i))
    await journal.close()
    const database = new ClassicLevel<Uint8Array, Uint8Array>(path, { keyEncoding: 'view' })
    await database.del(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 4))
    await database.close()
    const damaged = await openEmbeddedJournal(path)
    await expect(batchesOf(damaged)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining('batch 4 is missing') as string,
    })
    await damaged.close()
  })

  it('reads a journal much larger than the memory it takes for that', async () => {
    const journal = await openEmbeddedJournal(newFolder())
    for (let i = 0; i < 60; i++) {
      journal.append(batchOf(i, 1_000_000))
      if (i % 10 === 9) await journal.flushed()
    }
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const held = async (): Promise<number> => {
      await new Promise(setImmediate)
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    const before = await held()
    let most = 0
    let count = 0
    for await (const batch of journal.read()) {
      expect(batch.length).toBe(1_000_000)
      if (count++ % 10 === 5) most = Math.max(most, (await held()) - before)
    }
    expect(count).toBe(60)
    expect(most).toBeLessThan(16_000_000)
    await journal.close()
  })
})
