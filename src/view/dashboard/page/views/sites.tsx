/** The view Sites: a table that the server sorts, searches and pages. */
import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { bytesText, durationText, finePercent, shortCount } from '../../../../lib/amounts.ts'
import { SmallBar } from '../../../pictures/share-bar.tsx'
import { siteSorts, type SiteRow, type SiteSort } from '../../api/index.ts'
import { Empty, Pending, useAnswer } from '../answer.tsx'
import type { ViewProps } from '../context.ts'
import { ListTable, offsetIn, orderIn, Pager, type Column } from '../list.tsx'
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
        <Pending name="sites" answer={answer}>
          {(list) => (
            <>
              {list.rows.length === 0 ? (
                <Empty text={q === undefined ? 'No site is known yet.' : 'No site has this in its name.'} />
              ) : (
                <ListTable
                  name="Sites"
                  columns={columns}
                  rows={list.rows}
                  keyOf={({ site }) => site}
                  sorting={{ route, ...sorting }}
                />
              )}
              <Pager route={route} limit={limit} list={list} />
            </>
          )}
        </Pending>
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
  { title: 'Held', sort: 'held', isNumber: true, cell: ({ held }) => shareText(held) },
  {
    title: 'Waiting',
    sort: 'resting',
    isNumber: true,
    priority: 2,
    hint: 'Importance on pages that are not fetched',
    cell: ({ resting }) => shareText(resting),
  },
  { title: 'Pages', sort: 'pages', isNumber: true, cell: ({ pages }) => shortCount(pages) },
  {
    title: 'Queued',
    sort: 'waiting',
    isNumber: true,
    priority: 2,
    hint: 'Pages that wait',
    cell: ({ waiting }) => shortCount(waiting),
  },
  { title: 'Errors', sort: 'errors', isNumber: true, priority: 2, cell: ({ errors }) => shortCount(errors) },
  { title: 'Bytes', sort: 'bytes', isNumber: true, priority: 3, cell: ({ bytes }) => bytesText(bytes) },
  { title: 'robots.txt', priority: 3, cell: ({ robotsTxt }) => robotsNames[robotsTxt] },
  {
    title: 'Gap',
    sort: 'gap',
    isNumber: true,
    priority: 3,
    hint: 'Between the last two requests',
    cell: ({ gapSeconds }) => (gapSeconds === undefined ? '–' : durationText(gapSeconds)),
  },
  { title: 'Next due', sort: 'due', firstOrder: 'up', isNumber: true, priority: 2, cell: stateOfSite },
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
