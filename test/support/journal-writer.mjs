// Appends groups to a journal in JetStream until it is fenced; prints the number of each group that is stored, then FENCED.
import { connect } from '@nats-io/transport-node'
import { setTimeout as sleep } from 'node:timers/promises'
import { JetStreamJournal } from '../../dist/cluster/jetstream/jetstream-journal.js'

const [servers, stream] = process.argv.slice(2)
const connection = await connect({ servers, maxReconnectAttempts: -1 })
const journal = await JetStreamJournal.open({ connection, stream, replicas: 1 })
const writer = 'child'
// The number of a claim, which is no group.
let after = await journal.append({ writer, group: 0, after: 0, bytes: new Uint8Array(0) })
for (let group = 1; after !== undefined; group++) {
  after = await journal.append({ writer, group, after, bytes: Buffer.from(`child ${group}`) })
  process.stdout.write(after === undefined ? 'FENCED\n' : `${group}\n`)
  await sleep(5)
}
await connection.close()
