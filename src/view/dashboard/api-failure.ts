/** A request that cannot be answered, with the error that the client receives. */
import type { ApiError } from './api/index.ts'

export type ApiErrorCode = ApiError['error']['code']

const statuses: Readonly<Record<ApiErrorCode, number>> = {
  'bad-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'too-large': 413,
  'unsupported-media-type': 415,
  'not-running': 409,
  unavailable: 409,
  'too-many-requests': 429,
  busy: 503,
  internal: 500,
}

export class ApiFailure extends Error {
  readonly code: ApiErrorCode

  constructor(code: ApiErrorCode, message: string) {
    super(message)
    this.name = 'ApiFailure'
    this.code = code
  }

  get status(): number {
    return statuses[this.code]
  }

  get body(): ApiError {
    return { error: { code: this.code, message: this.message } }
  }
}
