/**
 * How soon does `rankward crawl` send its first request, that for robots.txt? Of the modules as compiled and of the bundle that
 * the package has, in turn: milliseconds from the start of the process to the request at the server, and the CPU time that
 * all its threads have used by then (Linux). With `--against`, the bundles of this and of another checkout instead.
 *
 *   npm run build && npm run bench -- start [--starts 9] [--against ../before]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { numberOption, textOption } from './webs.ts'

interface Start {
  readonly url: string
  readonly ms: number
  readonly cpuMs: number
}

const bundle = join('dist', 'bundle', 'main.js')

function programs(): Readonly<Record<string, string>> {
  const other = textOption('against')
  return other === undefined
    ? { modules: join('dist', 'cli', 'main.js'), bundle }
    : { against: join(other, bundle), bundle }
}

export const startBenchmark: Benchmark = async (size) => {
  const starts = size === 'small' ? 1 : numberOption('starts', 9)
  const forms = Object.entries(programs())
  const measured = new Map(forms.map(([form]): [string, Start[]] => [form, []]))
  for (let i = 0; i < starts; i++)
    for (const [form, program] of i % 2 === 0 ? forms : forms.toReversed())
      measured.get(form)!.push(await firstRequest(program))
  const rows = [...measured].map(([form, all]) => {
    const times = all.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const cpuTimes = all.map(({ cpuMs }) => cpuMs).toSorted((a, b) => a - b)
    return {
      form,
      'ms, least': Math.round(times[0]),
      'ms, median': Math.round(times[starts >> 1]),
      'CPU ms, least': Math.round(cpuTimes[0]),
      'CPU ms, median': Math.round(cpuTimes[starts >> 1]),
    }
  })
  const all = [...measured.values()].flat()
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

/** The time that the threads of a process have been running; NaN without /proc. */
function cpuMsOf(pid: number | undefined): number {
  const tasks = `/proc/${pid}/task`
  try {
    const nanoseconds = readdirSync(tasks).map((task) =>
      Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ')[0]),
    )
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
  } catch {
    return NaN
  }
}

await benchmarkMain(import.meta.url, startBenchmark)
