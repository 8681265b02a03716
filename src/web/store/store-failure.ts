/** Why a place for files did not do what was asked. */
import { RankwardError } from '../../lib/errors.ts'

/** The store does not respond, is overloaded, or refuses: `STORE_UNAVAILABLE`, with one line. */
export class StoreFailure extends RankwardError {
  /** Of the HTTP response; undefined if there was none. */
  readonly status: number | undefined

  constructor(what: string, status?: number, cause?: unknown) {
    super('STORE_UNAVAILABLE', what, { cause })
    this.status = status
  }
}

export function notThere(address: string): RankwardError {
  return new RankwardError('FILE_UNREADABLE', `Cannot read ${address}: there is no such file.`)
}
