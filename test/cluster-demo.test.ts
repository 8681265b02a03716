/** `rankward cluster demo` as a user runs it. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { commandEnd, startRankward } from './command-line.ts'
import { natsNote, withoutNats } from './support/nats-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

const small = ['cluster', 'demo', '--pages', '100', '--sites', '3', '--shards', '2']

describe.skipIf(withoutNats).concurrent(`cluster demo${natsNote}`, () => {
  it('loses no page to a killed worker and a killed server, and leaves nothing behind', async () => {
    const folder = temporaryFolder()
    const { stdout, stderr, exitCode } = await commandEnd(startRankward(small, undefined, { TMPDIR: folder }))
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout).toMatch(/A worker is killed \(kill -9\) that owns [12] of 2 shards/)
    expect(stdout).toMatch(/A server is killed \(kill -9\)/)
    expect(stdout).toMatch(/\nNothing is lost: all \d+ pages are in the journals, each once, and /)
    expect(stdout).toMatch(/\nNo host was requested again within 50 ms\.\n$/)
    expectNothingLeft(folder)
  })

  it.each([
    ['SIGINT', 130, '3 nats-servers and a web'],
    ['SIGTERM', 143, '3 workers share 2 shards'],
  ] as const)('leaves nothing behind if it ends by %s', async (signal, exitCode, moment) => {
    const folder = temporaryFolder()
    const demo = startRankward(small, undefined, { TMPDIR: folder })
    const ended = commandEnd(demo)
    await new Promise<void>((resolve) => {
      demo.stdout.on('data', (text: string) => {
        if (text.includes(moment)) resolve()
      })
    })
    expect(processesIn(folder).length).toBeGreaterThan(2)
    demo.kill(signal)
    expect((await ended).exitCode).toBe(exitCode)
    // The system needs a moment to end killed processes.
    await vi.waitFor(() => expectNothingLeft(folder), { timeout: 60_000 })
  })
})

function expectNothingLeft(folder: string): void {
  expect(processesIn(folder)).toEqual([])
  expect(readdirSync(folder)).toEqual([])
}

/** The commands of processes that name the folder. */
function processesIn(folder: string): string[] {
  const commands = execFileSync('ps', ['-A', '-ww', '-o', 'args'], { encoding: 'utf8' }).split('\n')
  return commands.filter((command) => command.includes(folder))
}
