/** The control log (control-log.ts) of a crawl as a JetStream stream: how it begins, is opened and followed. */
import { jetstreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { RankwardError } from '../../lib/errors.ts'
import { version } from '../../crawler/options/version.ts'
import { ControlLog, noCrawl } from '../protocol/control-log.ts'
import { controlFormat, encodeControl, type ClusterSettings, type ControlState } from '../protocol/control.ts'
import { checkedCrawlName, controlStream, crawlOfControl } from '../protocol/stream-names.ts'
import { JetStreamJournal } from './jetstream-journal.ts'
import { streamExists } from './open-stream.ts'
import { retried } from './retried.ts'

/** What a new crawl is made of. */
export type NewCrawl = Omit<ClusterSettings, 'kind' | 'format' | 'createdAt' | 'rankward'>

interface FollowOptions {
  /** Pause between two looks at the stream; 1000 by default. */
  readonly everyMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export class JetStreamControl extends ControlLog {
  private constructor(crawl: string, journal: JetStreamJournal) {
    super(crawl, journal, randomUUID)
  }

  /** Begins a crawl; CRAWL_EXISTS if the server has one of this name. */
  static async create(connection: NatsConnection, crawl: string, parts: NewCrawl): Promise<JetStreamControl> {
    await JetStreamControl.checkNew(connection, crawl)
    const stream = controlStream(crawl)
    const { replicas } = parts
    const journal = await JetStreamJournal.open({ connection, stream, replicas })
    const createdAt = new Date().toISOString()
    const bytes = encodeControl({
      ...parts,
      kind: 'settings',
      format: controlFormat,
      rankward: version,
      createdAt,
    })
    const stored = await journal.append({ writer: randomUUID(), group: 1, after: 0, bytes })
    if (stored === undefined) throw crawlExists(crawl)
    const control = new JetStreamControl(crawl, journal)
    await control.read()
    return control
  }

  /** CRAWL_EXISTS if the server has a crawl of this name. */
  static async checkNew(connection: NatsConnection, crawl: string): Promise<void> {
    const stream = controlStream(checkedCrawlName(crawl))
    if (await exists(connection, stream)) await JetStreamControl.#refuseSecond(connection, crawl)
  }

  /** Opens the control stream of a crawl and reads it; NO_CRAWL if there is none. */
  static async open(connection: NatsConnection, crawl: string): Promise<JetStreamControl> {
    const control = await JetStreamControl.#opened(connection, checkedCrawlName(crawl))
    if (control === undefined || (await control.readOn()) === undefined) throw noCrawl(crawl)
    return control
  }

  static async #opened(connection: NatsConnection, crawl: string): Promise<JetStreamControl | undefined> {
    const stream = controlStream(crawl)
    if (!(await exists(connection, stream))) return undefined
    // The stream exists, so the number of replicas is not used.
    return new JetStreamControl(crawl, await JetStreamJournal.open({ connection, stream, replicas: 1 }))
  }

  /** A stream without settings is left by a `create` that was interrupted. */
  static async #refuseSecond(connection: NatsConnection, crawl: string): Promise<void> {
    const control = await JetStreamControl.#opened(connection, crawl)
    if (control !== undefined && (await control.readOn()) !== undefined) throw crawlExists(crawl)
  }

  /** The state now and after each change, until the signal aborts. While the server does not respond, nothing is yielded. */
  async *follow({ everyMs = 1000, signal }: FollowOptions = {}): AsyncGenerator<ControlState> {
    let yielded = 0
    for (;;) {
      if (signal?.aborted === true) return
      const state = await this.read().catch((error: unknown) => {
        if (error instanceof RankwardError) throw error
      })
      if (state !== undefined && state.number > yielded) {
        yielded = state.number
        yield state
      }
      await sleep(everyMs, undefined, { signal }).catch(() => {})
    }
  }
}

/** The names of all crawls on the server, in alphabetical order. */
export async function listCrawls(connection: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(connection, { checkAPI: false })
  return retried(async () => {
    const names: string[] = []
    for await (const stream of manager.streams.names()) {
      const crawl = crawlOfControl(stream)
      if (crawl !== undefined) names.push(crawl)
    }
    return names.toSorted()
  })
}

async function exists(connection: NatsConnection, stream: string): Promise<boolean> {
  return streamExists(await jetstreamManager(connection, { checkAPI: false }), stream)
}

function crawlExists(crawl: string): RankwardError {
  return new RankwardError(
    'CRAWL_EXISTS',
    `The cluster already has a crawl named ${crawl}: choose another --name, or start a worker for it with \`rankward cluster worker\`.`,
  )
}
