/** Content that comes from the server: loading, failed, empty, or there. */
import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { QueryOf, ReadingName, ResponseOf } from '../api/index.ts'
import { addressOf, RequestFailure } from './client.ts'
import { usePage } from './context.ts'

export interface Answer<Body> {
  /** While another one is loaded, the earlier one stays. */
  readonly body: Body | undefined
  readonly failure: unknown
  readonly isBusy: boolean
  /** Requests it again, without a sign. */
  readonly refresh: () => Promise<void>
  readonly retry: () => void
}

interface Loaded<Body> {
  readonly key?: string | undefined
  readonly body?: Body
  readonly failure?: unknown
}

/**
 * Requests an endpoint, again for each other query, and every few seconds while the crawl runs and the page is visible. A refresh
 * that fails leaves the content as it is: the header says that the server is gone. Without a query, nothing is requested.
 */
export function useAnswer<Name extends ReadingName>(
  name: Name,
  query: QueryOf<Name> | undefined,
  everySeconds?: number,
): Answer<ResponseOf<Name>> {
  const { client, info } = usePage()
  const key = query === undefined ? undefined : addressOf(name, query)
  const [loaded, setLoaded] = useState<Loaded<ResponseOf<Name>>>({})
  const [attempt, setAttempt] = useState(0)
  const isRunning = useRef(info.isRunning)
  isRunning.current = info.isRunning
  const refresh = useRef(() => Promise.resolve())
  useLayoutEffect(() => {
    if (query === undefined) return undefined
    const leave = new AbortController()
    let isBusy = false
    const load = async (isRefresh: boolean): Promise<void> => {
      isBusy = true
      try {
        const body = await client.get(name, query, leave.signal)
        if (!leave.signal.aborted) setLoaded({ key, body })
      } catch (failure) {
        const isKept = isRefresh && failure instanceof RequestFailure
        if (!leave.signal.aborted && !isKept) setLoaded({ key, failure })
      } finally {
        isBusy = false
      }
    }
    refresh.current = () => load(true)
    void load(false)
    const timer = setInterval(
      () => {
        if (!isBusy && !document.hidden && isRunning.current) void load(true)
      },
      everySeconds === undefined ? 2 ** 31 - 1 : 1000 * everySeconds,
    )
    return () => {
      leave.abort()
      clearInterval(timer)
    }
  }, [key, attempt])
  return {
    body: loaded.body,
    failure: loaded.key === key ? loaded.failure : undefined,
    isBusy: loaded.key !== key,
    refresh: () => refresh.current(),
    retry: () => {
      setLoaded({})
      setAttempt(attempt + 1)
    },
  }
}

interface PendingProps<Body> {
  readonly name: string
  readonly answer: Answer<Body>
  readonly children: (body: Body) => ComponentChildren
}

/** The region of the page that shows an answer. */
export function Pending<Body>({ name, answer, children }: PendingProps<Body>): VNode {
  const { body, failure, isBusy, retry } = answer
  return (
    <div class="pending" data-region={name} aria-busy={isBusy ? 'true' : undefined}>
      {failure !== undefined ? (
        <Failure error={failure} retry={retry} />
      ) : body !== undefined ? (
        children(body)
      ) : (
        isBusy && <Loading />
      )}
    </div>
  )
}

/** Appears after a moment (style sheet), so that quick responses do not flicker. */
export function Loading(): VNode {
  return (
    <p class="state loading" role="status">
      Loading…
    </p>
  )
}

const headings: Partial<Record<string, string>> = {
  'not-found': 'Not found',
  unavailable: 'Not available',
  unauthorized: 'A token is needed',
  disconnected: 'No connection',
  busy: 'The server is busy',
}

interface FailureProps {
  readonly error: unknown
  readonly title?: string
  readonly retry: () => void
}

export function Failure({ error, title, retry }: FailureProps): VNode {
  const code = error instanceof RequestFailure ? error.code : 'internal'
  return (
    <div class="state failure" role="alert" data-code={code}>
      <strong>{title ?? headings[code] ?? 'This did not work'}</strong>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {code !== 'not-found' && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Instead of an empty list. */
export function Empty({ text, children }: { text: string; children?: ComponentChildren }): VNode {
  return (
    <div class="state empty">
      <p>{text}</p>
      {children}
    </div>
  )
}
