/** What goes to which stream and when: progress, interruption, a reader that has seen enough. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { commandEnd, program, rankward, startRankward } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

beforeAll(async () => {
  await rankward(['graph', 'generate', '--pages', '60000', '--out', 'web.rwg'], folder)
})

describe.concurrent('progress', () => {
  it('is shown on standard error only if requested', async () => {
    const args = ['simulate', 'web.rwg', '--strategy', 'breadth-first', '--json', '--pages', '20000']
    const quiet = await rankward(args, folder)
    expect({ stderr: quiet.stderr, exitCode: quiet.exitCode }).toEqual({ stderr: '', exitCode: 0 })
    const told = await rankward([...args, '--progress'], folder)
    expect(told.stderr).toMatch(/^Reading web\.rwg .*%/m)
    expect(told.stderr).toMatch(/^Crawling /m)
    expect((JSON.parse(told.stdout) as { runs: unknown[] }).runs).toHaveLength(1)
  })
})

describe.concurrent('Ctrl-C', () => {
  it('in the middle of a simulation prints what there is and ends with 130', async () => {
    // PageRank anew after every 200 pages takes long on this web; the crawl is interrupted well before its end.
    const args = ['simulate', 'web.rwg', '--strategy', 'pagerank', '--every', '200', '--json', '--progress']
    const child = startRankward([...args, '--order', 'order.txt'], folder)
    const ended = commandEnd(child)
    let shown = ''
    child.stderr.on('data', (text: string) => (shown += text))
    while (!/^Crawling .*█.*pagerank$/m.test(shown)) await once(child.stderr, 'data')
    child.kill('SIGINT')
    const { stdout, exitCode } = await ended
    expect(exitCode).toBe(130)
    const { interrupted, runs } = JSON.parse(stdout) as {
      interrupted: boolean
      runs: { visited: number; stoppedBecause: string }[]
    }
    expect({ interrupted, runs: runs.length }).toEqual({ interrupted: true, runs: 1 })
    expect(runs[0].stoppedBecause).toBe('interrupted')
    expect(runs[0].visited).toBeGreaterThan(0)
    expect(runs[0].visited).toBeLessThan(50_000)
    expect(readdirSync(folder)).toContain('order.txt')
  })

  it('while a file is written ends with 130 and puts no file in place', async () => {
    const child = startRankward(['graph', 'generate', '--pages', '100000000', '--out', 'large.rwg'], folder)
    const ended = commandEnd(child)
    while (!readdirSync(folder).some((name) => name.includes('large.rwg'))) await pause(20)
    child.kill('SIGINT')
    expect((await ended).exitCode).toBe(130)
    expect(readdirSync(folder)).not.toContain('large.rwg')
  })
})

describe.skipIf(!existsSync('/dev/full'))('standard output that is full', () => {
  it('is an error of one line', async () => {
    const command = `"${process.execPath}" "${program}" simulate web.rwg -s breadth-first --pages 500 --json > /dev/full`
    const { status, stderr } = spawnSync(command, { shell: true, cwd: folder, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^rankward: Cannot write to standard output: ENOSPC[^\n]+\n$/) as string,
    })
  })
})

describe.concurrent('a reader that has seen enough', () => {
  it('is no error', async () => {
    const args = [
      'simulate',
      join(folder, 'web.rwg'),
      '--strategy',
      'breadth-first,opic',
      '--json',
      '--pages',
      '500',
    ]
    const child = startRankward(args)
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.stdout.destroy()
    const [exitCode] = (await once(child, 'close')) as [number]
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  })
})
