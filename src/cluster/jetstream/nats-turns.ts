/**
 * Requests for turns of addresses (address-turns.ts) between workers, over NATS itself: nothing is stored. Each worker listens to
 * a subject of its own.
 */
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import type { TurnAnswer } from '../protocol/address-turns.ts'
import { subjectOf } from '../protocol/stream-names.ts'
import type { TurnMessages, TurnRequest } from '../worker/ports.ts'
import { permissionFailure } from './nats-errors.ts'

const responseMs = 1000

export class NatsTurns implements TurnMessages {
  readonly #connection: NatsConnection
  readonly #crawl: string
  #subscription: Subscription | undefined

  constructor(connection: NatsConnection, crawl: string) {
    this.#connection = connection
    this.#crawl = crawl
  }

  listen(
    self: string,
    answer: (request: TurnRequest) => TurnAnswer | undefined,
    failed: (error: unknown) => void,
  ): void {
    this.#subscription = this.#connection.subscribe(this.#subject(self), {
      callback: (error, message) => {
        if (error !== null) return failed(permissionFailure(error) ?? error)
        const request = readRequest(message.string())
        const reply = request && answer(request)
        if (reply !== undefined) message.respond(JSON.stringify(reply))
      },
    })
  }

  request(worker: string, request: TurnRequest, onAnswer: (answer: TurnAnswer | undefined) => void): void {
    const text = JSON.stringify(request)
    void this.#connection
      .request(this.#subject(worker), text, { timeout: responseMs })
      .then((reply) => readAnswer(reply.string()))
      .catch(() => undefined)
      .then(onAnswer)
  }

  close(): void {
    this.#subscription?.unsubscribe()
  }

  #subject(worker: string): string {
    return subjectOf(`RW_${this.#crawl}_TURNS.${worker}`)
  }
}

/** Undefined if another program has sent it. */
function readRequest(text: string): TurnRequest | undefined {
  const { from, address, isBusy, keys } = parsed(text)
  if (typeof from !== 'string') return undefined
  if (typeof address === 'string') return { from, address, isBusy: isBusy === true }
  const isList = Array.isArray(keys) && keys.every((key): key is string => typeof key === 'string')
  return isList ? { from, keys } : undefined
}

function readAnswer(text: string): TurnAnswer | undefined {
  const { seconds, waitSeconds } = parsed(text)
  const isNumber = (value: unknown): value is number => typeof value === 'number' && value >= 0
  return isNumber(seconds) && isNumber(waitSeconds) ? { seconds, waitSeconds } : undefined
}

function parsed(text: string): Partial<Record<string, unknown>> {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
