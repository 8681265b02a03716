/** The thread that reads ranges of files in buckets, for a reader that waits for each. */
import { workerData, type MessagePort } from 'node:worker_threads'
import type { RangeReply } from './byte-ranges.ts'
import { S3Bucket } from './s3-bucket.ts'
import { bucketAddress } from './store-address.ts'
import { StoreFailure } from './store-failure.ts'

const { port, signal } = workerData as { readonly port: MessagePort; readonly signal: Int32Array }

interface Asked {
  readonly address: string
  readonly offset: number
  readonly length: number
}

const attempts = 4
const pauseMs = 250

port.on('message', (asked: Asked) => {
  void replyTo(asked).then((reply) => {
    port.postMessage(reply)
    Atomics.store(signal, 0, 1)
    Atomics.notify(signal, 0)
  })
})

async function replyTo({ address, offset, length }: Asked): Promise<RangeReply> {
  for (let attempt = 1; ; attempt++) {
    try {
      const at = bucketAddress(address)
      const range = await new S3Bucket(at).range(at.key, offset, length)
      return range ?? { error: undefined }
    } catch (error) {
      const isPassing = error instanceof StoreFailure && (error.status === undefined || error.status >= 500)
      if (!isPassing || attempt === attempts) return { error: (error as Error).message }
      await new Promise((resolve) => void setTimeout(resolve, pauseMs * 2 ** attempt))
    }
  }
}
