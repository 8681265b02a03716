/** The thread that reads the record for the dashboard. Requests are answered as JSON, ready to be sent. */
import { parentPort, workerData } from 'node:worker_threads'
import { RankwardError } from '../../../lib/errors.ts'
import { ApiFailure, type ApiErrorCode } from '../api-failure.ts'
import { failureOf, Reader, type Question } from './reader.ts'

export interface ReaderRequest {
  readonly id: number
  readonly name: Question
  readonly parameters: readonly (readonly [string, string])[]
}

export type ReaderResponse =
  | { readonly id: number; readonly json: string }
  | { readonly id: number; readonly code: ApiErrorCode; readonly message: string; readonly cause?: string }

const { path } = workerData as { readonly path: string }
/** Attempts to read a record that is compacted meanwhile. */
const attemptsMax = 3
let opening: Promise<Reader> | undefined

async function answer({ id, name, parameters }: ReaderRequest): Promise<ReaderResponse> {
  try {
    return { id, json: JSON.stringify(await answered(name, parameters)) }
  } catch (error) {
    const failure = failureOf(error)
    const cause =
      error instanceof ApiFailure || failure.code !== 'internal' ? undefined : String((error as Error).stack)
    return { id, code: failure.code, message: failure.message, ...(cause === undefined ? {} : { cause }) }
  }
}

/** A record that was compacted meanwhile is read anew. */
async function answered(name: Question, parameters: ReaderRequest['parameters']): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const reading = (opening ??= Reader.open(path))
    try {
      return await (await reading).answer(name, parameters)
    } catch (error) {
      if (error instanceof ApiFailure) throw error
      const isCompacted = error instanceof RankwardError && error.code === 'RECORD_COMPACTED'
      // A reader that failed may be inconsistent.
      if (opening === reading && !isUsersError(error)) opening = undefined
      if (!isCompacted || attempt === attemptsMax) throw error
    }
  }
}

function isUsersError(error: unknown): boolean {
  return error instanceof RankwardError && ['USAGE', 'INLINE_CODE', 'NO_ARCHIVE'].includes(error.code)
}

parentPort?.on('message', (request: ReaderRequest) => {
  void answer(request).then((response) => parentPort?.postMessage(response))
})
