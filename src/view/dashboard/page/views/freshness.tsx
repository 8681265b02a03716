/** The view Freshness of a crawl that fetches pages again: requests, changes, intervals, newest changes. */
import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { durationText, finePercentText, grouped, shortCount } from '../../../../lib/amounts.ts'
import type { ChangeCount, Freshness } from '../../api/index.ts'
import { Empty, Pending, useAnswer } from '../answer.tsx'
import { Chart } from '../chart.tsx'
import { ListTable, number, type Column } from '../list.tsx'
import {
  BarList,
  Card,
  Feed,
  Figures,
  PageLink,
  Time,
  UrlText,
  ViewFrame,
  type LargeFigure,
} from '../parts.tsx'
import { hrefOf } from '../route.ts'

export function FreshnessView(): VNode {
  return (
    <ViewFrame title="Freshness">
      <Pending name="freshness" answer={useAnswer('freshness', {}, 5)}>
        {(freshness) => (
          <div class="stack">
            <Figures figures={figuresOf(freshness)} />
            <Course freshness={freshness} />
            <Lists {...freshness} />
          </div>
        )}
      </Pending>
    </ViewFrame>
  )
}

function figuresOf({ looks, changes, gone, failed, policy, perDay }: Freshness): LargeFigure[] {
  const rate = perDay === undefined ? '' : `, ${shortCount(perDay)} a day`
  return [
    ['Requests', 'looks', shortCount(looks), `policy ${policy}${rate}`],
    [
      'Changes found',
      'changes',
      shortCount(changes),
      looks === 0 ? '–' : `${finePercentText(changes / looks)} of the requests`,
    ],
    ['Missing', 'gone', shortCount(gone), 'requests that found no page (404, 410)'],
    ['Failed', 'failures', shortCount(failed), 'requests'],
  ]
}

function Course({ freshness: { course } }: { freshness: Freshness }): VNode {
  const { startMs, binSeconds, looks, changes, discoveries, fresh } = course
  const { times, found, freshTimes, shares } = useMemo(
    () => ({
      times: looks.map((_, i) => startMs + 1000 * binSeconds * i),
      found: looks.map((count, i) => (count === 0 ? null : changes[i] / count)),
      freshTimes: fresh.map(([seconds]) => startMs + 1000 * seconds),
      shares: fresh.map(([, share]) => share),
    }),
    [course],
  )
  return (
    <div class="charts four">
      <Chart
        title="Expected fresh share of the importance"
        colour="held"
        format={finePercentText}
        max={1}
        isFilled
        timeMs={freshTimes}
        values={shares}
      />
      <Chart title="Requests" colour="s3" format={shortCount} isBars timeMs={times} values={looks} />
      <Chart
        title="Share of requests that found a change"
        colour="s2"
        format={finePercentText}
        timeMs={times}
        values={found}
      />
      <Chart
        title="New pages found"
        colour="s4"
        format={shortCount}
        isBars
        timeMs={times}
        values={discoveries}
      />
    </div>
  )
}

function Lists({ intervals, newest, sites, pages }: Freshness): VNode {
  return (
    <div class="columns pair">
      <Card title="Pages by time between two requests">
        {intervals.length === 0 ? (
          <Empty text="No interval has been estimated yet." />
        ) : (
          <BarList
            entries={intervals.map(({ daysMax, pages: count }) => ({
              name:
                daysMax === undefined ? 'more rarely or never' : `up to ${durationText(daysMax * 86_400)}`,
              value: count,
              text: shortCount(count),
            }))}
          />
        )}
      </Card>
      <Card title="Newest changes">
        {newest.length === 0 ? (
          <Empty text="No change found yet." />
        ) : (
          <Feed
            label="Newest changes"
            entries={newest.map(({ page, url, atMs, verdict }) => [
              verdict,
              <>
                <PageLink page={page} url={url} max={64} /> <Time ms={atMs} />
              </>,
            ])}
          />
        )}
      </Card>
      <Card title="Sites that change most" class="flush">
        <Changes title="Site" rows={sites} href={(name) => hrefOf('site', { site: name })} />
      </Card>
      <Card title="Pages that change most" class="flush">
        <Changes title="Page" rows={pages} href={(name) => hrefOf('page', { url: name })} />
      </Card>
    </div>
  )
}

interface ChangesProps {
  readonly title: string
  readonly rows: readonly ChangeCount[]
  readonly href: (name: string) => string
}

function Changes({ title, rows, href }: ChangesProps): VNode {
  if (rows.length === 0) return <Empty text="Nothing has changed yet." />
  const columns: readonly Column<ChangeCount>[] = [
    {
      title,
      isWide: true,
      cell: ({ name }) => (
        <a href={href(name)}>
          <UrlText text={name} />
        </a>
      ),
    },
    number('Requests', ({ looks }) => grouped(looks)),
    number('Changes', ({ changes }) => grouped(changes)),
    number('A day', ({ perDay }) => (perDay === undefined ? '–' : shortCount(perDay)), {
      hint: 'Estimated changes a day',
    }),
  ]
  return <ListTable name={`${title}s by changes`} columns={columns} rows={rows} keyOf={({ name }) => name} />
}
