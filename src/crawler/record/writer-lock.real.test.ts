import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { builtModule } from '../../../test/support/built-module.ts'
import { recordIsEmpty } from './record-folder.ts'
import { WriterLock } from './writer-lock.ts'

const folder = temporaryFolder()
const newFolder = (): string => mkdtempSync(join(folder, 'crawl-'))

/** A process that takes the lock of this folder and then waits for its end. */
async function holder(
  path: string,
): Promise<{ pid: number; end: (signal: NodeJS.Signals) => Promise<void> }> {
  const entry = builtModule('crawler/record/writer-lock')
  const source = `import { WriterLock } from ${JSON.stringify(entry)}
    WriterLock.take(${JSON.stringify(path)})
    process.stdout.write('taken')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source])
  await once(child.stdout, 'data')
  return {
    pid: child.pid!,
    async end(signal) {
      child.kill(signal)
      await once(child, 'close')
    },
  }
}

describe('the lock of a crawl', () => {
  it('is refused to a second process while the first runs, which is named', async () => {
    const path = newFolder()
    const first = await holder(path)
    try {
      expect(() => WriterLock.take(path)).toThrow(expect.objectContaining({ code: 'CRAWL_RUNNING' }))
      expect(() => WriterLock.take(path)).toThrow(`process ${first.pid}`)
      expect(WriterLock.runningIn(path)).toBe(first.pid)
    } finally {
      await first.end('SIGKILL')
    }
  })

  it('is taken over from a process that was killed', async () => {
    const path = newFolder()
    const first = await holder(path)
    await first.end('SIGKILL')
    expect(WriterLock.runningIn(path)).toBeUndefined()
    const lock = WriterLock.take(path)
    expect(WriterLock.runningIn(path)).toBe(process.pid)
    lock.release()
    expect(readdirSync(path)).toEqual([])
  })

  it('is not taken for held where another process has the number now', () => {
    const path = newFolder()
    const lock = WriterLock.take(path)
    const text = JSON.parse(readFileSync(join(path, 'lock'), 'utf8')) as object
    lock.release()
    writeFileSync(join(path, 'lock'), JSON.stringify({ ...text, startTicks: '1' }))
    WriterLock.take(path).release()
    writeFileSync(join(path, 'lock'), JSON.stringify({ ...text, boot: 'another' }))
    WriterLock.take(path).release()
  })

  it('of another host counts as held, and the message says what to do', async () => {
    const path = newFolder()
    writeFileSync(join(path, 'lock'), JSON.stringify({ host: 'elsewhere', boot: '', pid: 1, startTicks: '' }))
    expect(() => WriterLock.take(path)).toThrow(`process 1 on elsewhere`)
    expect(() => WriterLock.take(path)).toThrow(`remove ${join(path, 'lock')}`)
    // A new crawl in this folder is refused with the same words: the lock file is to be removed, not the record.
    await expect(recordIsEmpty(path)).rejects.toThrow(`process 1 on elsewhere`)
    await expect(recordIsEmpty(path)).rejects.toThrow(`remove ${join(path, 'lock')}.`)
  })

  it('that is no lock of ours is taken over', () => {
    const path = newFolder()
    writeFileSync(join(path, 'lock'), 'nothing')
    WriterLock.take(path).release()
    expect(existsSync(join(path, 'lock'))).toBe(false)
  })
})
