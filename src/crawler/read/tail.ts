/** The outcome of every page of a crawl as it is recorded: for pipelines that work on pages while the crawl runs. */
import { checkOptions } from '../../lib/option-checks.ts'
import type { RecordedPage } from '../options/recorded-page.ts'
import { recordedOutcomes } from '../record/recorded-page.ts'
import { followChecks, followed, type FollowOptions } from './followed-record.ts'

export type { RecordedPage } from '../options/recorded-page.ts'
export type TailOptions = FollowOptions

/** The pages of the crawl in this folder, which may be running, in the order in which they were recorded. */
export async function* tail(path: string, options: TailOptions = {}): AsyncGenerator<RecordedPage> {
  checkOptions('tail', options, followChecks)
  yield* followed(path, options, (record, naming) => (group) => recordedOutcomes(record, group, naming))
}
