/**
 * How soon does `rankward crawl` send its first request, that for robots.txt? Of the modules as compiled and of the bundle that
 * the package has, in turn: milliseconds from the start of the process to the request at the server, and the CPU time that
 * all its threads have used by then (Linux).
 *
 *   npm run build && npm run bench -- start [--starts 9]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { numberOption } from './webs.ts'

interface Start {
  readonly url: string
  readonly ms: number
  readonly cpuMs: number
}

const forms = { modules: join('dist', 'cli', 'main.js'), bundle: join('dist', 'bundle', 'main.js') }

export const startBenchmark: Benchmark = async (size) => {
  const starts = size === 'small' ? 1 : numberOption('starts', 9)
  const measured: Record<string, Start[]> = { modules: [], bundle: [] }
  for (let i = 0; i < starts; i++)
    for (const [form, program] of Object.entries(forms)) measured[form].push(await firstRequest(program))
  const rows = Object.entries(measured).map(([form, all]) => {
    const times = all.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const cpuTimes = all.map(({ cpuMs }) => cpuMs).toSorted((a, b) => a - b)
    return {
      form,
      'ms, least': Math.round(times[0]),
      'ms, median': Math.round(times[starts >> 1]),
      'CPU ms, median': cpuTimes[starts >> 1],
    }
  })
  const all = Object.values(measured).flat()
  return { rows, check: all.filter(({ url }) => url === '/robots.txt').length / all.length }
}

/** A crawl up to its first request; then it is killed. */
async function firstRequest(program: string): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-start-'))
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const options = ['--allow-private', '--contact', 'a@b.example', '--no-progress']
  const args = [program, 'crawl', `http://127.0.0.1:${port}/`, '--out', join(folder, 'crawl'), ...options]
  try {
    const started = performance.now()
    const child = spawn(process.execPath, args, { stdio: 'ignore' })
    const ended = once(child, 'exit')
    const [request] = (await Promise.race([once(server, 'request'), ended])) as [{ url?: string } | number]
    if (typeof request !== 'object') throw new Error(`${program} ended without a request`)
    const start = {
      url: request.url ?? '',
      ms: performance.now() - started,
      cpuMs: cpuMsOf(child.pid),
    }
    child.kill('SIGKILL')
    await ended
    return start
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** User and system time of a process that runs, in steps of 10 ms; NaN without /proc. */
function cpuMsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return NaN
  }
}

await benchmarkMain(import.meta.url, startBenchmark)
