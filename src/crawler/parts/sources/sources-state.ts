/** What a crawl remembers of its sitemaps and feeds between two sessions. */
import type { StateCodec } from '../../../lib/state.ts'
import { ChangeSignals } from './change-signals.ts'
import { SourceSchedule, type ScheduleOptions, type SourceEvent } from './source-schedule.ts'
import { noSourceCounts, type SourceCounts } from './source-readings.ts'

export class SourcesState {
  readonly schedule: SourceSchedule
  readonly signals: ChangeSignals
  readonly counts: SourceCounts = { ...noSourceCounts }

  /** Sources are read once, for the pages that a crawl starts from. */
  readonly isOnce: boolean

  constructor(
    { restSeconds, isOnce = false }: Pick<ScheduleOptions, 'restSeconds' | 'isOnce'>,
    siteOfPage: (page: number) => number,
    onEvent?: (event: SourceEvent) => void,
  ) {
    this.isOnce = isOnce
    this.schedule = new SourceSchedule({ restSeconds, isOnce, onEvent })
    this.signals = new ChangeSignals(siteOfPage)
  }

  /** Repeats a recorded change of the schedule. */
  replay(event: SourceEvent): void {
    this.schedule.replay(event)
    if (event.kind === 'settled' && event.result.kind === 'read') this.counts.readings++
  }

  /** A recorded signal. */
  signalled(page: number, seconds: number): void {
    this.signals.signalled(page, seconds)
    this.counts.signals++
  }

  transfer(state: StateCodec): void {
    this.schedule.transfer(state)
    this.signals.transfer(state)
    this.counts.readings = state.number(this.counts.readings)
    this.counts.cut = state.number(this.counts.cut)
    this.counts.listed = state.number(this.counts.listed)
    this.counts.signals = state.number(this.counts.signals)
  }
}
