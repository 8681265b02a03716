/**
 * Loaded before each unit test: sockets, servers, threads and child processes throw. A test that needs one is named
 * `*.real.test.ts` or stands in `test/`.
 */
import childProcess, { ChildProcess } from 'node:child_process'
import { Socket as UdpSocket } from 'node:dgram'
import { syncBuiltinESMExports } from 'node:module'
import { Server, Socket } from 'node:net'
import workerThreads from 'node:worker_threads'

function refuse(what: string): () => never {
  return () => {
    throw new Error(`A unit test must not ${what}: rename the file to *.real.test.ts.`)
  }
}

Server.prototype.listen = refuse('open a server')
Socket.prototype.connect = refuse('open a connection')
UdpSocket.prototype.bind = refuse('open a UDP socket')
Object.assign(ChildProcess.prototype, { spawn: refuse('start a process') })
for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const) {
  childProcess[name] = refuse('start a process')
}
const Worker = function (): void {
  refuse('start a thread')()
}
workerThreads.Worker = Worker as unknown as typeof workerThreads.Worker
syncBuiltinESMExports()
