/** The view Sites: a table that the server sorts, searches and pages. */
import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { bytesText, durationText, finePercent, shortCount } from '../../../../lib/amounts.ts'
import { SmallBar } from '../../../pictures/share-bar.tsx'
import { siteSorts, type SiteRow, type SiteSort } from '../../api/index.ts'
import { useAnswer } from '../answer.tsx'
import type { ViewProps } from '../context.ts'
import { AnswerList, number, offsetIn, orderIn, type Column } from '../list.tsx'
import { Card, SiteLink, Time, ViewFrame } from '../parts.tsx'
import { hrefOf } from '../route.ts'

const limit = 50

export const robotsNames: Readonly<Record<SiteRow['robotsTxt'], string>> = {
  unknown: 'not read yet',
  ignored: 'ignored',
  none: 'none',
  'allows-all': 'allows all',
  'has-rules': 'has rules',
  refused: 'refused',
}

const siteStates = {
  busy: 'requested now',
  due: 'due',
  resting: 'rests',
  idle: '–',
  'given-up': 'unreachable',
} as const

export function stateOfSite({ state, dueMs }: SiteRow): ComponentChildren {
  return state === 'resting' && dueMs !== undefined ? <Time ms={dueMs} /> : siteStates[state]
}

export const shareText = (share: number | undefined): string =>
  share === undefined ? '–' : finePercent(share)

export function SitesView({ route }: ViewProps): VNode {
  const { q } = route.params
  const sorting = orderIn<SiteSort>(route, ['held', ...siteSorts], ['site', 'due'])
  const query = { ...sorting, offset: offsetIn(route), limit, ...(q === undefined ? {} : { q }) }
  const answer = useAnswer('sites', query, 5)
  const search = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    search.current!.value = q ?? ''
  }, [q])
  const form = (
    <form
      role="search"
      class="filters"
      onSubmit={(event) => {
        event.preventDefault()
        const { offset: _, ...params } = route.params
        location.hash = hrefOf('sites', { ...params, q: search.current!.value.trim() })
      }}
    >
      <label for="site-search">Search</label>
      <input
        ref={search}
        type="search"
        id="site-search"
        placeholder="part of a name"
        autocomplete="off"
        spellcheck={false}
      />
      <button type="submit">Search</button>
    </form>
  )
  return (
    <ViewFrame title="Sites" beside={form}>
      <Card class="flush">
        <AnswerList
          region="sites"
          name="Sites"
          answer={answer}
          columns={columns}
          keyOf={({ site }) => site}
          empty={q === undefined ? 'No site is known yet.' : 'No site has this in its name.'}
          {...{ route, limit, sorting }}
        />
      </Card>
    </ViewFrame>
  )
}

const columns: readonly Column<SiteRow>[] = [
  {
    title: 'Site',
    sort: 'site',
    firstOrder: 'up',
    isWide: true,
    cell: ({ site, held, resting }) => (
      <>
        <SiteLink site={site} />
        <SmallBar held={held} resting={resting} kind="narrow" />
      </>
    ),
  },
  {
    title: 'Importance',
    priority: 2,
    hint: 'Which part of the site’s importance is held',
    cell: ({ held, resting }) => <SmallBar held={held} resting={resting} />,
  },
  number('Held', ({ held }) => shareText(held), { sort: 'held' }),
  number('Waiting', ({ resting }) => shareText(resting), {
    sort: 'resting',
    priority: 2,
    hint: 'Importance on pages that are not fetched',
  }),
  number('Pages', ({ pages }) => shortCount(pages), { sort: 'pages' }),
  number('Queued', ({ waiting }) => shortCount(waiting), {
    sort: 'waiting',
    priority: 2,
    hint: 'Pages that wait',
  }),
  number('Errors', ({ errors }) => shortCount(errors), { sort: 'errors', priority: 2 }),
  number('Bytes', ({ bytes }) => bytesText(bytes), { sort: 'bytes', priority: 3 }),
  { title: 'robots.txt', priority: 3, cell: ({ robotsTxt }) => robotsNames[robotsTxt] },
  number('Gap', ({ gapSeconds }) => (gapSeconds === undefined ? '–' : durationText(gapSeconds)), {
    sort: 'gap',
    priority: 3,
    hint: 'Between the last two requests',
  }),
  number('Next due', stateOfSite, { sort: 'due', firstOrder: 'up', priority: 2 }),
  {
    title: 'Last response',
    sort: 'last',
    priority: 3,
    cell: ({ last }) =>
      last === undefined ? (
        '–'
      ) : (
        <>
          <span class="answer">{last.answer}</span> <Time ms={last.atMs} />
        </>
      ),
  },
]
