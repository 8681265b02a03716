/** The thread that reads the record for the dashboard. Requests are answered as JSON, ready to be sent. */
import { parentPort, workerData } from 'node:worker_threads'
import { ApiFailure, type ApiErrorCode } from '../api-failure.ts'
import { failureOf, Reader } from './reader.ts'

export interface ReaderRequest {
  readonly id: number
  readonly name: string
  readonly parameters: readonly (readonly [string, string])[]
}

export type ReaderResponse =
  | { readonly id: number; readonly json: string }
  | { readonly id: number; readonly code: ApiErrorCode; readonly message: string; readonly cause?: string }

const { path } = workerData as { readonly path: string }
let opening: Promise<Reader> | undefined

async function answer({ id, name, parameters }: ReaderRequest): Promise<ReaderResponse> {
  try {
    opening ??= Reader.open(path)
    const reader = await opening
    return { id, json: JSON.stringify(await reader.answer(name, parameters)) }
  } catch (error) {
    const failure = failureOf(error)
    const cause =
      error instanceof ApiFailure || failure.code !== 'internal' ? undefined : String((error as Error).stack)
    return { id, code: failure.code, message: failure.message, ...(cause === undefined ? {} : { cause }) }
  }
}

parentPort?.on('message', (request: ReaderRequest) => {
  void answer(request).then((response) => parentPort?.postMessage(response))
})
