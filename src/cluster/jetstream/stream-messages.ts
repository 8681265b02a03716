/** Reads messages of a stream in order: a few of them one by one from its leader, many by a consumer. */
import { DeliverPolicy, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream'
import type { MsgHdrs } from '@nats-io/transport-node'
import { subjectOf } from '../protocol/stream-names.ts'
import { isTransient } from './nats-errors.ts'
import { retried } from './retried.ts'

interface StreamMessage {
  readonly seq: number
  readonly data: Uint8Array
  readonly head: MsgHdrs | undefined
  readonly time: Date
}

interface StreamReader {
  readonly stream: string
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  /** Of the messages, if the stream has several subjects. */
  readonly subject?: string
  /** Messages of one request of a consumer; 200 by default. */
  readonly fetchMessages?: number
}

/** A consumer costs more than a few requests, and nats-server may place it on a server that is down. */
const directMax = 32
/** Time for the messages of one request of a consumer: longer than the server waits. */
const fetchMs = 6000
/** Consumers that may be lost without a message from them. */
const lostMax = 10

/** The messages after a sequence, up to another one. Some may be missing: purged, or taken back in a full account. */
export async function* messagesOf(
  reader: StreamReader,
  after: number,
  end: number,
): AsyncGenerator<StreamMessage> {
  let at = after
  if (end - at > directMax) {
    for await (const message of consumed(reader, after, end)) {
      yield message
      at = message.seq
    }
  }
  while (at < end) {
    const message = await nextMessage(reader, at + 1)
    if (message === null || message.seq > end) return
    const { seq, data, header: head, time } = message
    yield { seq, data, head, time }
    at = seq
  }
}

/** The first message from this sequence on, from the leader; null if there is none. */
function nextMessage({ manager, stream, subject = subjectOf(stream) }: StreamReader, seq: number) {
  const query = { seq, next_by_subj: subject }
  return manager.streams.getMessage(stream, query)
}

async function* consumed(reader: StreamReader, after: number, end: number): AsyncGenerator<StreamMessage> {
  // A limit in bytes takes a thousand times as long where messages are small.
  const { client, stream, subject, fetchMessages = 200 } = reader
  let at = after
  let lost = 0
  const newConsumer = () =>
    client.consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: at + 1,
      ...(subject === undefined ? {} : { filter_subjects: subject }),
    })
  let consumer = await retried(newConsumer)
  try {
    while (at < end) {
      const before = at
      let failure: unknown
      try {
        const messages = await consumer.fetch({
          max_messages: Math.min(fetchMessages, end - at),
          expires: 5000,
        })
        const timer = setTimeout(() => void messages.close(), fetchMs)
        try {
          for await (const { seq, data, headers: head, time } of messages) {
            if (seq > end) return
            at = seq
            yield { seq, data, head, time }
            if (at === end) return
          }
        } finally {
          clearTimeout(timer)
        }
      } catch (error) {
        failure = error
        if (!isTransient(error) || ++lost > lostMax) throw error
      }
      if (at > before) lost = 0
      if (at > before && failure === undefined) continue
      if ((await retried(() => nextMessage(reader, at + 1))) === null) return
      // A consumer is lost with its server, and a request to it has no response.
      consumer = await retried(newConsumer)
    }
  } finally {
    await consumer.delete().catch(() => {})
  }
}
