/** The view Queue: what is fetched next and why, which sites rest, and the best pages that were not fetched. */
import type { ComponentChildren, VNode } from 'preact'
import { finePercent, finePercentText, grouped, plural, shortCount } from '../../../../lib/amounts.ts'
import type { MissedPage, MissedQuery, Queue, QueuedPage, RestingSite } from '../../api/index.ts'
import { Empty, Pending, useAnswer } from '../answer.tsx'
import type { ViewProps } from '../context.ts'
import { AnswerList, ListTable, number, offsetIn, type Column } from '../list.tsx'
import {
  Badge,
  Card,
  Choices,
  PageLink,
  SiteLink,
  StateBadge,
  stateName,
  Time,
  ViewFrame,
} from '../parts.tsx'
import { choiceIn } from '../route.ts'

const limit = 50

const lists = {
  next: { title: 'Fetched next', List: NextList },
  resting: { title: 'Resting sites', List: RestingList },
  missed: { title: 'Best pages not fetched', List: MissedList },
} as const
const names = Object.keys(lists) as (keyof typeof lists)[]

export function QueueView({ route }: ViewProps): VNode {
  const chosen = choiceIn(route, 'list', names)
  const { List } = lists[chosen]
  const choices = names.map((name) => ({
    text: lists[name].title,
    params: { list: name === 'next' ? undefined : name },
    isChosen: name === chosen,
  }))
  return (
    <ViewFrame title="Queue" beside={<Choices name="Lists" view="queue" choices={choices} />}>
      <List key={chosen} route={route} />
    </ViewFrame>
  )
}

function NextList(): VNode {
  return (
    <Card class="flush">
      <Pending name="queue" answer={useAnswer('queue', { limit }, 5)}>
        {(queue) =>
          queue.next.length === 0 ? (
            <Empty text="No page waits." />
          ) : (
            <>
              <ListTable
                name={lists.next.title}
                columns={nextColumns(queue)}
                rows={queue.next}
                keyOf={({ page }) => String(page)}
              />
              <p class="soft note">{nextNote(queue)}</p>
            </>
          )
        }
      </Pending>
    </Card>
  )
}

function nextNote({ next, waiting, dueAgain, score }: Queue): string {
  if (dueAgain === undefined)
    return `The first ${grouped(next.length)} of ${plural(waiting, 'waiting page')}, in the order of ${score.strategy} and of the gaps of the sites.`
  return `The first ${grouped(next.length)} of ${plural(waiting, 'new page')} and ${plural(dueAgain, 'page')} to fetch again, in the order of the value of a fetch and of the gaps of the sites.`
}

function nextColumns({ score: { isMass, strategy } }: Queue): readonly Column<QueuedPage>[] {
  return [
    number('#', (_, index) => index + 1),
    { title: 'Page', isWide: true, cell: ({ page, url }) => <PageLink page={page} url={url} /> },
    number(
      isMass ? 'Mass' : 'Score',
      ({ score }) => (score === undefined ? '–' : isMass ? finePercent(score) : shortCount(score)),
      { hint: `Score of ${strategy}` },
    ),
    { title: 'When', cell: whenOf },
    {
      title: 'Why',
      hint: 'The pages whose links give it the most mass, or the page it was found on',
      priority: 2,
      isWide: true,
      cell: whyOf,
    },
    number('On its site', ({ placeOnSite }) => grouped(placeOnSite), {
      priority: 3,
      hint: 'Position among the waiting pages of its site',
    }),
    number('Depth', ({ depth }) => depth, { priority: 3, hint: 'Links from a seed' }),
  ]
}

function whyOf({ givers, foundOn, again }: QueuedPage): ComponentChildren {
  if (again !== undefined) {
    const { looks, lastLookMs, freshProbability } = again
    return (
      <>
        <Badge kind="fetched" text="again" />
        {` fetched ${plural(looks, 'time')}, last `}
        <Time ms={lastLookMs} />
        {freshProbability !== undefined && `; current with ${finePercentText(freshProbability)}`}
      </>
    )
  }
  if (givers.length === 0)
    return foundOn !== undefined && <PageLink page={foundOn.page} url={foundOn.url} max={48} />
  return givers.slice(0, 3).map(({ page, url }) => (
    <div class="giver">
      <PageLink page={page} url={url} max={48} />
    </div>
  ))
}

const reasons = { due: 'now', busy: 'site busy', rest: 'rests' } as const

function whenOf({ because, dueMs, isDemoted }: QueuedPage): ComponentChildren {
  return (
    <>
      {because === 'rest' && dueMs !== undefined ? <Time ms={dueMs} /> : reasons[because]}
      {isDemoted && <Badge kind="poor" text="demoted" hint="Probably worthless: queued behind all others" />}
    </>
  )
}

function RestingList({ route }: ViewProps): VNode {
  return (
    <Card class="flush">
      <AnswerList
        region="queue"
        name={lists.resting.title}
        answer={useAnswer('queue/resting', { offset: offsetIn(route), limit }, 5)}
        columns={restingColumns}
        keyOf={({ site }) => site}
        empty="No site rests."
        {...{ route, limit }}
      />
    </Card>
  )
}

const restingColumns: readonly Column<RestingSite>[] = [
  { title: 'Site', isWide: true, cell: ({ site }) => <SiteLink site={site} /> },
  number('Free', ({ untilMs }) => <Time ms={untilMs} />),
  number('Waiting pages', ({ waiting }) => grouped(waiting)),
  number('Failures', ({ failures }) => grouped(failures), {
    priority: 2,
    hint: 'Consecutive failures to reach it',
  }),
  {
    title: 'Its best page',
    isWide: true,
    priority: 2,
    cell: ({ best }) => best !== undefined && <PageLink page={best.page} url={best.url} />,
  },
]

function MissedList({ route }: ViewProps): VNode {
  const state = route.params['state'] as MissedQuery['state'] | undefined
  const query = { offset: offsetIn(route), limit, ...(state === undefined ? {} : { state }) }
  const answer = useAnswer('queue/missed', query, 5)
  const causes = answer.body?.causes.filter(({ pages }) => pages > 0) ?? []
  const choices = causes.map((cause) => ({
    text: `${stateName(cause.state)} · ${finePercentText(cause.mass)} on ${shortCount(cause.pages)}`,
    params: { list: 'missed', state: cause.state },
    isChosen: state === cause.state,
  }))
  const all = { text: 'all', params: { list: 'missed' }, isChosen: state === undefined }
  return (
    <>
      <Choices name="Cause" view="queue" choices={[all, ...choices]} />
      <Card class="flush">
        <AnswerList
          region="queue"
          name={lists.missed.title}
          columns={missedColumns}
          keyOf={({ page }) => String(page)}
          empty="Every known page was fetched."
          {...{ answer, route, limit }}
        />
      </Card>
    </>
  )
}

const missedColumns: readonly Column<MissedPage>[] = [
  { title: 'Page', isWide: true, cell: ({ page, url }) => <PageLink page={page} url={url} /> },
  number('Mass', ({ mass }) => finePercent(mass)),
  { title: 'Cause', cell: ({ state, error }) => <StateBadge state={state} error={error} /> },
]
