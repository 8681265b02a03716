// Appends groups to a log in JetStream until it is fenced; prints the number of each group that is stored, then the error.
import { connect } from '@nats-io/transport-node'
import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamLog } from '../../dist/cluster/jetstream/jetstream-log.js'

const [servers, stream] = process.argv.slice(2)
const connection = await connect({ servers, maxReconnectAttempts: -1 })
const log = await JetStreamLog.open({ connection, stream, replicas: 1 })
try {
  for (;;) {
    await log.append(Buffer.from(`child ${log.last + 1}`))
    process.stdout.write(`${log.last}\n`)
    await sleep(5)
  }
} catch (error) {
  process.stdout.write(`${error.code}\n`)
  await connection.close()
}
