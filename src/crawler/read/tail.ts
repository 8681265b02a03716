/** The outcome of every page of a crawl as it is recorded: for pipelines that work on pages while the crawl runs. */
import { checkOptions } from '../../lib/option-checks.ts'
import type { RecordedPage } from '../options/recorded-page.ts'
import { recordedFields } from '../parts/all-parts.ts'
import type { GroupResults } from '../record/crawl-record.ts'
import type { FoundRecord } from '../record/found-record.ts'
import { recordedPage } from '../record/recorded-page.ts'
import type { WarcNaming } from '../record/warc-name.ts'
import { followChecks, followed, type FollowOptions } from './followed-record.ts'

export type { RecordedPage } from '../options/recorded-page.ts'
export type TailOptions = FollowOptions

/** The pages of the crawl in this folder, which may be running, in the order in which they were recorded. */
export async function* tail(path: string, options: TailOptions = {}): AsyncGenerator<RecordedPage> {
  checkOptions('tail', options, followChecks)
  yield* followed(path, options, (record, naming) => (group) => recordedOutcomes(record, group, naming))
}

/** The outcomes of a group, in order. */
export function recordedOutcomes(
  record: { found(page: number): FoundRecord },
  { outcomes, group }: Pick<GroupResults, 'outcomes' | 'group'>,
  naming: WarcNaming,
): RecordedPage[] {
  const fields = recordedFields(group)
  return outcomes.map(([page, outcome]) => recordedPage(record, page, outcome, fields.get(page), naming))
}
