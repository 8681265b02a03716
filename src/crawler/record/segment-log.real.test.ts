import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { builtModule } from '../../../test/support/built-module.ts'
import { groupOf, groupsOf, numbered } from './group-logs.cases.ts'
import { SegmentFiles } from './segment-files.ts'
import { SegmentLog } from './segment-log.ts'

const folder = temporaryFolder()
let folders = 0
const newFolder = (): string => join(folder, `log-${folders++}`)

async function logOf(count: number, segmentBytes?: number): Promise<string> {
  const path = newFolder()
  const log = await SegmentLog.open(path, segmentBytes === undefined ? {} : { segmentBytes })
  for (const group of numbered(count)) await log.append(group)
  await log.close()
  return path
}

const readerOf = (path: string): { read: SegmentFiles['groups'] } => {
  const files = new SegmentFiles(path)
  return { read: (after) => files.groups(after) }
}

/** Another process with this program, which has `SegmentLog` and `groupOf`. */
function otherProcess(program: string, shell = 'exec "$@"'): ChildProcessWithoutNullStreams {
  const entry = builtModule('crawler/record/segment-log')
  const source = `
    import { SegmentLog } from ${JSON.stringify(entry)}
    const groupOf = ${groupOf.toString()}
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

describe('a writer', () => {
  it('that appends nothing leaves no segment, and the next one continues the log', async () => {
    const path = await logOf(3)
    const before = readdirSync(path)
    await (await SegmentLog.open(path)).close()
    expect(readdirSync(path)).toEqual(before)
    const next = await SegmentLog.open(path)
    await next.append(groupOf(4))
    await next.close()
    expect(await groupsOf(readerOf(path))).toEqual(numbered(4))
  })

  it('that cannot read the log leaves it as it was', async () => {
    const path = await logOf(3, 1)
    const files = new SegmentFiles(path)
    truncateSync(files.path(2), 60)
    const before = readdirSync(path)
    await expect(SegmentLog.open(path)).rejects.toThrow('group 2 is missing')
    expect(readdirSync(path)).toEqual(before)
  })

  it('that is fenced keeps its segment, because the next one may have read its group', async () => {
    const path = await logOf(1)
    const fenced = await SegmentLog.open(path)
    const next = new SegmentFiles(path).path(3)
    writeFileSync(next, '')
    await expect(fenced.append(groupOf(2))).rejects.toThrow('Another process has taken over')
    await fenced.close()
    expect(await groupsOf(readerOf(path))).toEqual(numbered(2))
  })

  it('is fenced by any later segment, also if the next one was removed', async () => {
    const path = newFolder()
    const first = await SegmentLog.open(path)
    await first.append(groupOf(1))
    const second = await SegmentLog.open(path)
    const third = await SegmentLog.open(path)
    await second.close()
    await expect(first.append(groupOf(2))).rejects.toThrow('Another process has taken over')
    await third.append(groupOf(2))
    for (const log of [first, third]) await log.close()
    expect(await groupsOf(readerOf(path))).toEqual(numbered(2))
  })
})

describe('a torn tail', () => {
  it('truncated at any byte of the last group keeps all groups before it, and the log continues after them', async () => {
    const path = await logOf(6)
    const file = new SegmentFiles(path).path(1)
    const { length } = readFileSync(file)
    const last = groupOf(6).length + 16
    for (let cut = 1; cut <= last; cut++) {
      const copy = newFolder()
      cpSync(path, copy, { recursive: true })
      truncateSync(new SegmentFiles(copy).path(1), length - cut)
      expect(await groupsOf(readerOf(copy))).toEqual(numbered(5))
      const log = await SegmentLog.open(copy)
      expect(log.last).toBe(5)
      await log.append(groupOf(6))
      await log.append(groupOf(7))
      await log.close()
      expect(await groupsOf(readerOf(copy))).toEqual(numbered(7))
    }
  })

  it('of zeros, as a power cut can leave it, is a torn tail too', async () => {
    const path = await logOf(6)
    const file = new SegmentFiles(path).path(1)
    const bytes = readFileSync(file)
    const last = groupOf(6).length + 16
    for (const kept of [0, 4, 16, last - 2]) {
      writeFileSync(
        file,
        Buffer.concat([bytes.subarray(0, bytes.length - last + kept), Buffer.alloc(last - kept + 100)]),
      )
      expect(await groupsOf(readerOf(path))).toEqual(numbered(5))
    }
  })
})

describe('damage', () => {
  it('of any byte is an error or the loss of the torn end, never another group', async () => {
    const path = await logOf(12, 150)
    const files = new SegmentFiles(path)
    const segments = files.numbers()
    expect(segments.length).toBeGreaterThan(2)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...segments),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (segment, at, flip) => {
          const file = files.path(segment)
          const bytes = readFileSync(file)
          const changed = Buffer.from(bytes)
          changed[at % bytes.length] ^= flip
          writeFileSync(file, changed)
          try {
            const groups = await groupsOf(readerOf(path)).catch((error: unknown) => error as { code: string })
            if (!Array.isArray(groups)) expect(groups.code).toBe('FILE_UNREADABLE')
            else {
              // Spare bytes of a header have no meaning; damage of the last groups is the end of the log.
              expect(groups).toEqual(numbered(groups.length))
              expect(groups.length).toBeGreaterThanOrEqual(10)
            }
          } finally {
            writeFileSync(file, bytes)
          }
        },
      ),
      seeded(300),
    )
  })

  it('that removes a whole segment is reported', async () => {
    const path = await logOf(12, 150)
    const files = new SegmentFiles(path)
    const [, second] = files.numbers()
    truncateSync(files.path(second), 0)
    await expect(groupsOf(readerOf(path))).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringMatching(/group \d+ is missing/) as string,
    })
  })

  it('of the version is reported: a log of a later version is not read', async () => {
    const path = await logOf(1)
    const file = new SegmentFiles(path).path(1)
    const bytes = readFileSync(file)
    bytes.writeUInt32LE(3, 8)
    writeFileSync(file, bytes)
    await expect(groupsOf(readerOf(path))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
  })
})

describe('the log on disk', () => {
  it.each([1, 2, 3, 4])(
    'killed in the middle of appending keeps every group that was acknowledged (%i)',
    async (run) => {
      const path = newFolder()
      const child = otherProcess(`
      const log = await SegmentLog.open(${JSON.stringify(path)}, { segmentBytes: 20_000 })
      for (let i = 1; ; i++) {
        await log.append(groupOf(i))
        process.stdout.write(i + '\\n')
      }`)
      let output = ''
      await new Promise<void>((resolve, reject) => {
        child.stderr.on('data', (chunk) => reject(new Error(String(chunk))))
        child.stdout.on('data', (chunk) => {
          output += String(chunk)
          if (Number(output.trimEnd().split('\n').at(-1)) >= run * 60) resolve()
        })
      })
      child.kill('SIGKILL')
      await once(child, 'close')
      const acknowledged = Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1))
      const log = await SegmentLog.open(path)
      const groups = await groupsOf(log)
      expect(groups.length).toBeGreaterThanOrEqual(acknowledged)
      expect(groups).toEqual(numbered(groups.length))
      await log.append(groupOf(groups.length + 1))
      await log.close()
      expect(await groupsOf(readerOf(path))).toEqual(numbered(groups.length + 1))
    },
  )

  it('rejects every append once the disk is full, and keeps the acknowledged groups', async () => {
    const path = newFolder()
    // A limit on the size of files stands in for a full disk: 200 blocks of 512 bytes.
    const child = otherProcess(
      `const log = await SegmentLog.open(${JSON.stringify(path)})
       let acknowledged = 0
       let failures = 0
       for (let i = 1; i <= 3000; i++) {
         await log.append(groupOf(i)).then(() => acknowledged++, (e) => failures++ === 0 && console.log(e.code, e.message))
       }
       console.log(JSON.stringify({ acknowledged, failures }))
       await log.close()`,
      `trap '' XFSZ; ulimit -f 200; exec "$@"`,
    )
    const lines = (await outputOf(child)).trimEnd().split('\n')
    expect(lines[0]).toMatch(/^FILE_UNWRITABLE The record in .* cannot be written \(.+\)\. Free some space/)
    const { acknowledged, failures } = JSON.parse(lines[1]) as { acknowledged: number; failures: number }
    expect(acknowledged).toBeGreaterThan(100)
    expect(failures).toBe(3000 - acknowledged)
    const log = await SegmentLog.open(path)
    const groups = await groupsOf(log)
    expect(groups.length).toBeGreaterThanOrEqual(acknowledged)
    expect(groups).toEqual(numbered(groups.length))
    await log.close()
  })

  it('of two processes that claim at once, one is fenced and no group is lost or mixed', async () => {
    const path = newFolder()
    const program = (offset: number): string => `
      for (;;) {
        const log = await SegmentLog.open(${JSON.stringify(path)}, { segmentBytes: 3000 })
        let fenced = false
        while (!fenced && log.last < 200) {
          const number = log.last + 1
          await log.append(groupOf(number)).then(
            () => process.stdout.write(number + '\\n'),
            (e) => { if (e.code !== 'FENCED') throw e; fenced = true },
          )
        }
        await log.close()
        if (!fenced) break
        await new Promise((r) => setTimeout(r, ${offset}))
      }`
    const outputs = await Promise.all([
      outputOf(otherProcess(program(3))),
      outputOf(otherProcess(program(5))),
    ])
    const acknowledged = outputs.flatMap((output) => output.split('\n').slice(0, -1))
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    expect(acknowledged.every((line) => /^\d+$/.test(line))).toBe(true)
    expect(await groupsOf(readerOf(path))).toEqual(numbered(200))
  })

  it('is read while it is written, from a state that only grows', async () => {
    const path = newFolder()
    const log = await SegmentLog.open(path, { segmentBytes: 2000 })
    const old = readerOf(path)
    for (let count = 1; count <= 60; count++) {
      await log.append(groupOf(count))
      if (count % 7 === 0) expect(await groupsOf(readerOf(path))).toEqual(numbered(count))
    }
    expect(await groupsOf(old, 10)).toEqual(numbered(50, 11))
    await log.close()
  })

  it('is read where nothing can be written', async () => {
    const path = await logOf(5)
    chmodSync(path, 0o555)
    try {
      expect(await groupsOf(readerOf(path))).toEqual(numbered(5))
    } finally {
      chmodSync(path, 0o755)
    }
  })

  it('cannot be opened if a file is in the way, with a message', async () => {
    const path = newFolder()
    writeFileSync(path, '')
    await expect(SegmentLog.open(path)).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
    mkdirSync(join(newFolder(), 'fine'), { recursive: true })
  })

  it('never touches a file that is not a segment', async () => {
    const path = newFolder()
    mkdirSync(path)
    for (const name of ['notes.txt', '1.log', 'a000001.log']) writeFileSync(join(path, name), name)
    const log = await SegmentLog.open(path)
    await log.append(groupOf(1))
    await log.close()
    for (const name of ['notes.txt', '1.log', 'a000001.log'])
      expect(readFileSync(join(path, name), 'utf8')).toBe(name)
  })
})

describe('a new segment that cannot be synced', () => {
  /** A log whose first sync fails, after the log is opened. */
  async function failingLog(): Promise<{ log: SegmentLog; path: string }> {
    const path = newFolder()
    const probe = await open(join(folder, 'probe'), 'w')
    const handles = Object.getPrototypeOf(probe) as FileHandle
    await probe.close()
    const sync = vi.spyOn(handles, 'datasync').mockRejectedValueOnce(new Error('no space'))
    const log = await SegmentLog.open(path)
    expect(sync).toHaveBeenCalledOnce()
    sync.mockRestore()
    return { log, path }
  }

  it('fails with the first group, which does not count, and with all later ones', async () => {
    const { log, path } = await failingLog()
    for (let i = 0; i < 2; i++)
      await expect(log.append(groupOf(1))).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' })
    expect(log.last).toBe(0)
    expect(await groupsOf(log)).toEqual([])
    await log.close()
    const next = await SegmentLog.open(path)
    await next.append(groupOf(next.last + 1))
    expect(await groupsOf(next)).toEqual(numbered(next.last))
    await next.close()
  })

  it('is closed without an error if there was no group to lose', async () => {
    const { log } = await failingLog()
    await log.close()
  })
})
