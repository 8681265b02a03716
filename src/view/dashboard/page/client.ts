/** Requests to the API. The token stays in this tab: in the session storage, and in a header of requests. */
import {
  apiPrefix,
  type ApiError,
  type ChangeName,
  type QueryOf,
  type ReadingName,
  type ResponseOf,
} from '../api/index.ts'

type FailureCode = ApiError['error']['code'] | 'disconnected'

/** A request that did not succeed. The message is shown to the user. */
export class RequestFailure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}

const tokenKey = 'rankward-token'

export class Client {
  #token: string | undefined = sessionStorage.getItem(tokenKey) ?? undefined

  async get<Name extends ReadingName>(
    name: Name,
    query: QueryOf<Name>,
    signal?: AbortSignal,
  ): Promise<ResponseOf<Name>> {
    const address = addressOf(name, query)
    return (await this.#send(address, signal === undefined ? {} : { signal })) as ResponseOf<Name>
  }

  async post<Name extends ChangeName>(name: Name, body: QueryOf<Name>): Promise<ResponseOf<Name>> {
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', body: JSON.stringify(body), headers }
    return (await this.#send(addressOf(name), request)) as ResponseOf<Name>
  }

  /** Uses the token from now on, if the server accepts it. */
  async login(token: string): Promise<void> {
    await this.post('login', { token })
    this.#token = token
    sessionStorage.setItem(tokenKey, token)
  }

  logout(): void {
    this.#token = undefined
    sessionStorage.removeItem(tokenKey)
  }

  async #send(address: string, request: RequestInit): Promise<unknown> {
    const headers = new Headers(request.headers)
    if (this.#token !== undefined) headers.set('authorization', `Bearer ${this.#token}`)
    let response: Response
    let body: unknown
    try {
      response = await fetch(address, { ...request, headers, cache: 'no-store' })
      body = response.status === 204 ? undefined : await response.json().catch(() => undefined)
    } catch (error) {
      if (request.signal?.aborted === true) throw error
      throw new RequestFailure('disconnected', 'The dashboard’s server does not respond.')
    }
    if (response.ok) return body
    const { code = 'internal', message = `The server responded with status ${response.status}.` } =
      (body as Partial<ApiError> | undefined)?.error ?? {}
    throw new RequestFailure(code, message)
  }
}

/** The address of an endpoint; parameters without a value are left out. */
export function addressOf(name: ReadingName | ChangeName, query: object = {}): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(key, String(value))
  }
  const text = params.toString()
  return `${apiPrefix}/${name}${text === '' ? '' : `?${text}`}`
}
