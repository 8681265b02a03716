/** What every view gets, and hooks that views share. */
import { createContext, type RefObject } from 'preact'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CrawlInfo, LiveEvents } from '../api/index.ts'
import type { Client } from './client.ts'
import type { Live } from './live.ts'
import type { Route } from './route.ts'

interface PageContext {
  readonly client: Client
  readonly live: Live
  readonly info: CrawlInfo
  /** Drawings on a canvas do not follow it by themselves. */
  readonly theme: 'light' | 'dark'
  /** Opens the dialog for the token; resolves to true if it was accepted. */
  readonly askToken: () => Promise<boolean>
}

export interface ViewProps {
  readonly route: Route
}

export const Context = createContext<PageContext>(undefined as unknown as PageContext)

export const usePage = (): PageContext => useContext(Context)

/** Calls the listener for each event of this name, while the component is shown. */
export function useLive<Name extends keyof LiveEvents>(
  name: Name,
  listener: (body: LiveEvents[Name]) => void,
): void {
  const { live } = usePage()
  const newest = useRef(listener)
  newest.current = listener
  useLayoutEffect(() => live.on(name, (body) => newest.current(body)), [])
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The size of an element, without its border and padding; 0 until it is known. */
export function useSize(element: RefObject<Element | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const read = (): void => {
      const { clientWidth: width, clientHeight: height } = element.current!
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])
  return size
}
