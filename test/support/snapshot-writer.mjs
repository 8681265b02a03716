// Stores a snapshot of 64 MB in an object store, and says so when the first tenth of it was sent.
import { connect } from '@nats-io/transport-node'
import { JetStreamSnapshots } from '../../dist/cluster/jetstream/jetstream-snapshots.js'

const [servers, crawl] = process.argv.slice(2)
const snapshots = await JetStreamSnapshots.open(await connect({ servers }), crawl, 1)

function* chunks() {
  for (let i = 0; i < 64; i++) {
    if (i === 6) process.stdout.write('begun\n')
    yield new Uint8Array(1_000_000).fill(i)
  }
}

await snapshots.put({ shard: 0, sequence: 20, writer: 'w', group: 20 }, chunks())
process.stdout.write('done\n')
process.exit()
