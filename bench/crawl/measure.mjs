/**
 * Runs one program and measures its cost: CPU seconds of all its threads and children, wall seconds, peak
 * memory.
 *
 * CPU time is measured by bash's `time` after the program has ended: user and system time of the process, all
 * its threads, and every child that it waited for. A child that outlives the program would be missed, so that
 * is detected and reported. Memory is the kernel's high-water mark, read while the program runs; the marks of
 * concurrent processes are added.
 */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'

// The trap keeps bash alive to report if the whole group is signalled; the program gets the signal unchanged.
const script = `trap : TERM INT; TIMEFORMAT='%3U %3S %3R'; { time "$@" 2>&4 3>&- 4>&-; } 2>&3`

/**
 * `stopWhen` is polled ten times per second; once it returns true the program gets `stopSignal`. `exitCode`
 * is the program's, or undefined if it was killed after `timeoutMs`.
 */
export async function measure({ command, env, cwd, output, stopWhen, stopSignal = 'SIGTERM', timeoutMs }) {
  const file = openSync(output, 'w')
  const bash = spawn('bash', ['-c', script, 'measure', ...command], {
    cwd,
    env: { ...process.env, ...env },
    detached: true, // its own group, and a session to find the processes by
    stdio: ['ignore', file, 'ignore', 'pipe', file],
  })
  closeSync(file)
  running.add(bash.pid)
  let report = ''
  bash.stdio[3].on('data', (chunk) => (report += chunk))

  let peakBytes = 0
  let signalled = false
  let timedOut = false
  const started = Date.now()
  const watch = setInterval(() => {
    const bytes = sessionPids(bash.pid).reduce(
      (sum, pid) => sum + (pid === bash.pid ? 0 : peakMemory(pid)),
      0,
    )
    peakBytes = Math.max(peakBytes, bytes)
    if (!signalled && stopWhen?.()) {
      signalled = true
      signal(bash.pid, stopSignal)
    }
    if (Date.now() - started > timeoutMs) {
      timedOut = true
      signal(bash.pid, 'SIGKILL')
    }
  }, 100)
  const exitCode = await new Promise((resolve) => bash.on('close', resolve))
  clearInterval(watch)

  const leftOver = sessionPids(bash.pid)
  if (leftOver.length > 0) signal(bash.pid, 'SIGKILL')
  running.delete(bash.pid)
  const [, user, system, wall] = /^(\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/m.exec(report) ?? []
  return {
    cpuSeconds: Number(user) + Number(system),
    wallSeconds: Number(wall),
    peakBytes,
    exitCode: timedOut ? undefined : exitCode,
    stopped: signalled,
    leftOver: leftOver.length,
  }
}

const running = new Set()

/** Ends running programs, if the benchmark itself is interrupted. */
export function endMeasured() {
  for (const pid of running) signal(pid, 'SIGKILL')
}

function signal(group, name) {
  try {
    process.kill(-group, name)
  } catch {
    // It has ended in the meantime.
  }
}

function sessionPids(session) {
  const pids = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // pid (name) state parent group session …; the name may hold spaces and brackets, so count from its end.
    const stat = readProc(name, 'stat')
    const [state, , , owner] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(owner) === session && state !== 'Z') pids.push(Number(name))
  }
  return pids
}

const peakMemory = (pid) => Number(/VmHWM:\s+(\d+) kB/.exec(readProc(pid, 'status'))?.[1] ?? 0) * 1024

function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return '' // it has ended between the listing and the reading
  }
}
