/**
 * A worker of a cluster in a process of its own, to be killed. Its options are the first argument, as JSON. SIGTERM makes it
 * leave. Prints `started`, then why it ended. Runs the built code.
 */
const { servers, clockAheadMs = 0, ...options } = JSON.parse(process.argv[2])
if (clockAheadMs > 0) {
  const systemMs = Date.now
  Date.now = () => systemMs() + clockAheadMs
  Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + clockAheadMs })
}
const { runWorker } = await import('../../dist/cluster/crawl/start-worker.js')
const { connectCluster } = await import('../../dist/cluster/jetstream/connect.js')
// However busy the machine is.
const connect = () => connectCluster({ cluster: servers }).catch(connect)
const connection = await connect()
const end = await runWorker({
  ...options,
  connection,
  onLook: (look) => {
    if (process.env['RANKWARD_DEBUG'] !== undefined)
      process.stderr.write(`${process.pid} ${JSON.stringify(look)}\n`)
  },
  onSilence: (error) => {
    if (process.env['RANKWARD_DEBUG'] !== undefined) process.stderr.write(`${process.pid} ${error.stack}\n`)
  },
  onStart: (worker) => {
    process.on('SIGTERM', () => worker.leave())
    process.stdout.write('started\n')
  },
})
process.stdout.write(`${end}\n`)
await connection.close()
process.exit()
