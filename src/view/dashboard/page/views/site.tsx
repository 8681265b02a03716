/** One site: its counts, importance, politeness timeline, kinds of pages, robots.txt. */
import type { VNode } from 'preact'
import { bytesText, durationText, finePercentText, grouped, shortCount } from '../../../../lib/amounts.ts'
import { SmallBar } from '../../../pictures/share-bar.tsx'
import type { PageKind, SiteDetail } from '../../api/index.ts'
import { Empty, Pending, useAnswer } from '../answer.tsx'
import type { ViewProps } from '../context.ts'
import { ListTable, number, type Column } from '../list.tsx'
import { Badge, BarList, Card, Choices, Facts, Time, UrlText, WebText } from '../parts.tsx'
import { choiceIn, hrefOf, numberIn, type Route } from '../route.ts'
import { Timeline } from '../timeline.tsx'
import { robotsNames, shareText, stateOfSite } from './sites.tsx'

export function SiteView({ route }: ViewProps): VNode {
  const { site = '' } = route.params
  const detail = useAnswer('site', { site }, 5)
  return (
    <div class="stack">
      <p class="crumbs">
        <a href={hrefOf('sites')}>‹ All sites</a>
      </p>
      <header class="head">
        <h1>
          <UrlText text={site} max={120} />
        </h1>
        <p class="actions">
          <a href={hrefOf('pages', { site })}>its pages</a>
          <a href={hrefOf('map', { site })}>its map</a>
        </p>
      </header>
      <Card title="Requests and the gaps between them">
        {/* With the site: its settings say how long the gaps are. */}
        {detail.body !== undefined && <Requests route={route} detail={detail.body} />}
      </Card>
      <Pending name="site" answer={detail}>
        {(body) => <SiteCards site={body} />}
      </Pending>
    </div>
  )
}

const numbers = ['15', '40', '100', '300']

function Requests({ route, detail }: { route: Route; detail: SiteDetail }): VNode {
  const { site, politeness } = detail
  const limit = Number(choiceIn(route, 'n', ['40', ...numbers]))
  const beforeMs = numberIn(route, 'before')
  const query = { site, limit, ...(beforeMs === undefined ? {} : { beforeMs }) }
  // A page of the past does not change.
  const answer = useAnswer('site/requests', query, beforeMs === undefined ? 5 : undefined)
  const { requests = [], hasOlder = false } = answer.body ?? {}
  const older = hasOlder ? requests[0]?.startMs : undefined
  return (
    <>
      <div class="row">
        <Choices
          name="Number of requests"
          view="site"
          choices={numbers.map((n) => ({
            text: n,
            params: { ...route.params, n },
            isChosen: Number(n) === limit,
          }))}
        />
        <span class="steps">
          {older !== undefined && (
            <a href={hrefOf('site', { ...route.params, before: Math.floor(older) })}>‹ older</a>
          )}
          {beforeMs !== undefined && (
            <a href={hrefOf('site', { ...route.params, before: undefined })}>newest</a>
          )}
        </span>
        <ul class="legend">
          <li>
            <span class="swatch is-held" />
            response
          </li>
          <li>
            <span class="swatch is-failed" />
            error
          </li>
          <li>
            <span class="swatch is-rest" />
            gap to keep
          </li>
        </ul>
      </div>
      <Pending name="requests" answer={answer}>
        {() =>
          requests.length === 0 ? (
            <Empty text="No request to this site is kept." />
          ) : (
            <Timeline requests={requests} politeness={politeness} />
          )
        }
      </Pending>
    </>
  )
}

function SiteCards({ site }: { site: SiteDetail }): VNode {
  return (
    <div class="stack">
      <div class="columns">
        <Card title="Pages">
          <SmallBar held={site.held} resting={site.resting} />
          <Facts
            facts={[
              ['importance held', shareText(site.held)],
              ['importance waiting', shareText(site.resting)],
              ['fetched', grouped(site.pages)],
              ['waiting', grouped(site.waiting)],
              ['redirects', grouped(site.redirects)],
              ['failed', grouped(site.errors)],
              ['refused by robots.txt', grouped(site.robots)],
              ['refused by limits', grouped(site.limits)],
              ['bytes', bytesText(site.bytes)],
              ['duplicates', finePercentText(site.duplicateShare)],
              ['near-duplicates', finePercentText(site.nearDuplicateShare)],
            ]}
          />
        </Card>
        <Card title="Politeness">
          <Politeness site={site} />
          {site.robotsText !== undefined && (
            <details>
              <summary>Show its robots.txt</summary>
              <pre tabindex={0}>{site.robotsText}</pre>
            </details>
          )}
        </Card>
        <Card title="Responses">
          {site.answers.length === 0 ? (
            <Empty text="No response yet." />
          ) : (
            <BarList
              entries={site.answers.map(({ answer, count }) => ({
                name: <WebText text={answer} />,
                value: count,
                text: shortCount(count),
              }))}
            />
          )}
        </Card>
      </div>
      <Card title="Kinds of pages" class="flush">
        <Kinds site={site} />
      </Card>
    </div>
  )
}

function Politeness({ site }: { site: SiteDetail }): VNode {
  const { last, gapSeconds, robotsTxt } = site
  const { waitSeconds, waitFactor, crawlDelaySeconds } = site.politeness
  return (
    <Facts
      facts={[
        ['gap between requests', `${durationText(waitSeconds)}, at least ${waitFactor} × the last download`],
        ['crawl-delay', crawlDelaySeconds === undefined ? undefined : durationText(crawlDelaySeconds)],
        ['last gap', gapSeconds === undefined ? undefined : durationText(gapSeconds)],
        ['next due', stateOfSite(site)],
        [
          'last response',
          last !== undefined && (
            <>
              <WebText text={last.answer} /> <Time ms={last.atMs} />
              {` in ${durationText(last.durationMs / 1000)}`}
            </>
          ),
        ],
        ['robots.txt', robotsNames[robotsTxt]],
      ]}
    />
  )
}

const standings = { good: 'good', poor: 'poor', closed: 'closed: a trap' }

function Kinds({ site: { kinds, hasMoreKinds } }: { site: SiteDetail }): VNode {
  if (kinds.length === 0) return <Empty text="No kinds of pages yet." />
  const hasAccounts = kinds.some(({ account }) => account !== undefined)
  const notes = [
    hasMoreKinds && 'There are more kinds.',
    !hasAccounts && 'Trap accounts are shown while the crawl runs.',
  ].filter(Boolean)
  return (
    <>
      <ListTable
        name="Kinds of pages"
        columns={hasAccounts ? [...kindColumns, ...accountColumns] : kindColumns}
        rows={kinds}
        keyOf={({ kind }) => kind}
      />
      {notes.length > 0 && <p class="soft note">{notes.join(' ')}</p>}
    </>
  )
}

const kindColumns: readonly Column<PageKind>[] = [
  { title: 'URL pattern', isWide: true, cell: ({ kind }) => <UrlText text={kind} /> },
  number('Pages', ({ pages }) => grouped(pages)),
]

const accountColumns: readonly Column<PageKind>[] = [
  number('Earned', ({ account }) => (account === undefined ? '–' : shortCount(account.earned)), {
    priority: 2,
    hint: 'Credit of the trap account',
  }),
  number('Spent', ({ account }) => (account === undefined ? '–' : shortCount(account.spent)), {
    priority: 2,
  }),
  {
    title: 'Standing',
    cell: ({ account }) =>
      account === undefined ? '–' : <Badge kind={account.standing} text={standings[account.standing]} />,
  },
]
