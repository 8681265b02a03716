/** Runs the built command `rankward` as a user would and tells what it printed and how it ended. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

export const program = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url))

export interface CommandEnd {
  readonly stdout: string
  readonly stderr: string
  /** null where a signal ended it. */
  readonly exitCode: number | null
}

export function startRankward(
  args: readonly string[],
  folder?: string,
  env: NodeJS.ProcessEnv = {},
  input = '',
): ChildProcessWithoutNullStreams {
  if (!existsSync(program))
    throw new Error('dist/bundle/main.js is missing: run `npm run setup` to build it.')
  const child = spawn(process.execPath, [program, ...args], {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: { ...process.env, ...env },
  })
  child.stdin.end(input)
  return child
}

export function commandEnd(child: ChildProcessWithoutNullStreams): Promise<CommandEnd> {
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ stdout, stderr, exitCode }))
  })
}

/**
 * Sends SIGINT to a crawl that has had one, until it says that it stops at once. Two signals within 250 ms count as one, and a busy
 * machine may hand two to the process as one.
 */
export async function interruptAgain(child: ChildProcessWithoutNullStreams): Promise<void> {
  let shown = ''
  child.stderr.on('data', (text: string) => (shown += text))
  const isStopping = (): boolean => shown.includes('Stopping at once')
  await pause(400)
  while (!isStopping()) {
    child.kill('SIGINT')
    for (let waits = 0; waits < 500 && !isStopping(); waits++) await pause(20)
  }
}

/** `rankward ARGS`, in this folder. */
export function rankward(args: readonly string[], folder?: string): Promise<CommandEnd> {
  return commandEnd(startRankward(args, folder))
}

/** The JSON document of a command that must succeed and be silent otherwise. */
export async function rankwardJson<T = Record<string, unknown>>(
  args: readonly string[],
  folder?: string,
): Promise<T> {
  const { stdout, stderr, exitCode } = await rankward([...args, '--json'], folder)
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  return JSON.parse(stdout) as T
}

/** Fails unless the command ended with this code, one line on standard error that matches, and nothing else. */
export function expectRefusal(end: CommandEnd, exitCode: 1 | 2, line: RegExp): void {
  expect(end).toMatchObject({ stdout: '', exitCode })
  expect(end.stderr).toMatch(/^rankward: [^\n]+\n$/)
  expect(end.stderr).toMatch(line)
  expect(end.stderr).not.toMatch(/internal error|undefined|NaN\b.*NaN|\[object/)
}
