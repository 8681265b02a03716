/** A command in a child process, while servers of the test's own process go on. */
import { spawn } from 'node:child_process'

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export function runCommand(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (chunks.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (chunks.stderr += text))
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, ...chunks }))
  })
}
