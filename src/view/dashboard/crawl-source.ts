/**
 * The crawl that a dashboard shows: run by this process (live-source.ts), read from its record (recorded-source.ts), or run by
 * the workers of a cluster (cluster/cluster-source.ts).
 */
import type { ControlEntry } from '../../crawler/session/crawl-control.ts'
import type { ControlRequests, ControlState, CrawlInfo, Now, ReadingName, SeriesPoint } from './api/index.ts'
import type { MeasuredSource } from './metrics.ts'
import type { Parameters } from './reader-thread.ts'
import type { ArchivedText } from './reader/archive-queries.ts'

/** What the crawl is; the dashboard adds what the client may do. */
export type SourceInfo = Omit<CrawlInfo, 'version' | 'access' | 'endText'> & {
  readonly isControllable: boolean
}

export interface Sample {
  readonly now: Now
  /** A new point of the series, if there is one. */
  readonly point: SeriesPoint | undefined
}

export interface CrawlSource {
  /** What it is read from: endpoints of the other kind do not respond. */
  readonly kind: 'record' | 'cluster'
  /** True once requests can be answered. */
  isReady(): boolean
  info(): Promise<SourceInfo>
  now(): Promise<Now>
  /** Takes a sample; called once a second. Undefined if there is nothing new to show. */
  sample(isWatched: boolean): Promise<Sample | undefined>
  /** The response to any other request for reading, as JSON. */
  answer(name: ReadingName, parameters: Parameters): Promise<string>
  archived(parameters: Parameters): Promise<ArchivedText>
  /** Carries out a control by name. */
  control(name: keyof ControlRequests, body: unknown): Promise<ControlEntry>
  controlState(): Promise<ControlState>
  measured(): Promise<MeasuredSource>
  close(): Promise<void>
}
