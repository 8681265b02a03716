/** One page: what happened to it and why, its links, versions, headers and archived text. */
import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import {
  bytesText,
  durationText,
  finePercent,
  finePercentText,
  grouped,
  shortCount,
  written,
} from '../../../../lib/amounts.ts'
import type { PageDetail, PageLink as LinkRow, PageVersion } from '../../api/index.ts'
import { Empty, Pending, useAnswer } from '../answer.tsx'
import { addressOf } from '../client.ts'
import type { ViewProps } from '../context.ts'
import { dateTime } from '../format.ts'
import { AnswerList, number, type Column } from '../list.tsx'
import { Card, Facts, Feed, PageLink, SiteLink, StateBadge, Time, UrlText, WebText } from '../parts.tsx'
import { numberIn, type Route } from '../route.ts'

const limit = 25

export function PageView({ route }: ViewProps): VNode {
  const { url = '' } = route.params
  const page = numberIn(route, 'page')
  const answer = useAnswer('page', page === undefined ? { url } : { page })
  return (
    <div class="stack">
      <Pending name="page" answer={answer}>
        {(body) => <PageCards key={body.page} route={route} page={body} />}
      </Pending>
    </div>
  )
}

function PageCards({ route, page }: { route: Route; page: PageDetail }): VNode {
  const { title = '', url, state, versions, looks } = page
  return (
    <>
      <header class="head of-page">
        <h1>{title === '' ? <UrlText text={url} max={160} /> : <WebText text={title} max={160} />}</h1>
        <p>
          <StateBadge state={state} />{' '}
          <bdi class="web url whole" dir="ltr">
            {url.slice(0, 2000)}
          </bdi>{' '}
          {/* Other schemes may run code. */}
          {/^https?:\/\//i.test(url) && (
            <a href={url} target="_blank" rel="noreferrer noopener">
              open ↗
            </a>
          )}
        </p>
      </header>
      <div class="columns aside">
        <Card title="What happened">
          <Outcome page={page} />
        </Card>
        <Card title="Why">
          <Explanation page={page.page} />
        </Card>
      </div>
      <div class="columns pair">
        <Card title={`Links in, ${grouped(page.linksIn)}`} class="flush">
          <Links route={route} page={page.page} direction="in" />
        </Card>
        <Card title={`Links out, ${grouped(page.linksOut)}`} class="flush">
          <Links route={route} page={page.page} direction="out" />
        </Card>
      </div>
      {versions.length > 0 && (
        <Card title="Archive">
          <Archive page={page.page} versions={versions} />
        </Card>
      )}
      {looks.length > 0 && (
        <Card title="Requests">
          <Feed
            label="Requests"
            entries={looks.map(({ atMs, verdict, status, error, isConditional }) => [
              verdict,
              <>
                <Time ms={atMs} />
                {` · ${error ?? status}${isConditional ? ' · conditional' : ''}`}
              </>,
            ])}
          />
        </Card>
      )}
    </>
  )
}

/** What a function makes of a value, if there is one. */
function shown<Value>(
  value: Value | undefined,
  text: (value: Value) => ComponentChildren,
): ComponentChildren {
  return value === undefined ? undefined : text(value)
}

const linkTo = ({ page, url }: { page: number; url: string }): VNode => <PageLink page={page} url={url} />

function Outcome({ page }: { page: PageDetail }): VNode {
  return (
    <Facts
      facts={[
        ['site', <SiteLink site={page.site} />],
        ['importance', `${finePercentText(page.mass)}, ${page.state === 'fetched' ? 'held' : 'waiting'}`],
        ['status', page.status],
        [
          'error',
          shown(page.error, (error) => (
            <WebText text={[error, page.outcome?.failureText].filter(Boolean).join(': ')} />
          )),
        ],
        [
          'fetched',
          shown(page.atMs, (ms) => (
            <>
              <Time ms={ms} />
              {`, ${dateTime(ms)}`}
            </>
          )),
        ],
        ...(page.outcome === undefined ? [] : outcomeFacts(page.outcome, page.bytes)),
        ['score', shown(page.score, (score) => written(score, 'plain'))],
        ['depth', grouped(page.depth)],
        ['found on', page.foundOn === undefined ? 'a seed' : linkTo(page.foundOn)],
        ['found', shown(page.foundMs, (ms) => <Time ms={ms} />)],
      ]}
    />
  )
}

function outcomeFacts(
  outcome: NonNullable<PageDetail['outcome']>,
  bytes: number | undefined,
): [string, ComponentChildren][] {
  const { truncated, noindex, nofollow } = outcome
  const cut = truncated === undefined ? '' : `, cut: ${truncated}`
  const robots = [noindex && 'noindex', nofollow && 'nofollow'].filter(Boolean).join(', ')
  return [
    ['order', `page ${grouped(outcome.order)} of the crawl`],
    ['duration', durationText(outcome.durationMs / 1000)],
    ['attempts', shown(outcome.attempts, grouped)],
    ['size', shown(bytes, (size) => `${bytesText(size)}${cut}`)],
    ['type', shown(outcome.contentType, (type) => <WebText text={type} />)],
    ['redirects to', shown(outcome.location, (url) => <UrlText text={url} />)],
    ['meta robots', robots === '' ? undefined : robots],
    ['duplicate of', shown(outcome.duplicateOf, linkTo)],
    ['near-duplicate of', shown(outcome.nearDuplicateOf, linkTo)],
    ['relevance', shown(outcome.relevance, shortCount)],
  ]
}

/** On request: the server replays the crawl for it. */
function Explanation({ page }: { page: number }): VNode {
  const [isAsked, setAsked] = useState(false)
  const answer = useAnswer('page/explanation', isAsked ? { page } : undefined)
  if (!isAsked) {
    return (
      <div class="pending">
        <p class="soft">
          Its score, its rank and what gave it, from a replay of the crawl. This takes a while for large
          crawls.
        </p>
        <button type="button" onClick={() => setAsked(true)}>
          Explain
        </button>
      </div>
    )
  }
  return (
    <Pending name="explanation" answer={answer}>
      {({ text }) => (
        <pre class="explanation" tabindex={0}>
          {text}
        </pre>
      )}
    </Pending>
  )
}

interface LinksProps {
  readonly route: Route
  readonly page: number
  readonly direction: 'in' | 'out'
}

/** Links in or out, with what they carry. */
function Links({ route, page, direction }: LinksProps): VNode {
  const isIn = direction === 'in'
  const query = { page, direction, offset: numberIn(route, direction) ?? 0, limit }
  return (
    <AnswerList
      region={`links-${direction}`}
      name={isIn ? 'Links in' : 'Links out'}
      answer={useAnswer('page/links', query)}
      columns={linkColumns}
      keyOf={(link) => String(link.page)}
      empty={isIn ? 'No fetched page links to it.' : 'No links.'}
      param={direction}
      {...{ route, limit }}
    />
  )
}

const linkColumns: readonly Column<LinkRow>[] = [
  { title: 'Page', isWide: true, cell: ({ page, url }) => <PageLink page={page} url={url} max={72} /> },
  number('Carries', ({ carries }) => finePercent(carries), { hint: 'Importance that the link carries' }),
  { title: 'State', priority: 2, cell: ({ state }) => <StateBadge state={state} /> },
]

/** Versions, and the headers and the text of the chosen one. */
function Archive({ page, versions }: { page: number; versions: readonly PageVersion[] }): VNode {
  const [index, setIndex] = useState(0)
  const { version, isArchived } = versions[index]
  const headers = useAnswer('page/headers', isArchived ? { page, version } : undefined)
  return (
    <div class="archive">
      <p class="row">
        <label for="version">
          {versions.length === 1 ? 'Version' : `Versions, ${grouped(versions.length)}`}
        </label>
        <select id="version" onChange={({ currentTarget }) => setIndex(currentTarget.selectedIndex)}>
          {versions.map(({ version: number, atMs, status, bytes }) => (
            <option value={number}>{`${dateTime(atMs)} · ${status} · ${bytesText(bytes)}`}</option>
          ))}
        </select>
      </p>
      <div class="two">
        <div>
          <h3>Headers</h3>
          {isArchived ? (
            <Pending name="headers" answer={headers}>
              {({ statusLine, headers: entries }) => (
                <>
                  <p>
                    <code>{statusLine}</code>
                  </p>
                  <dl class="headers" tabindex={0} aria-label="Headers">
                    {entries.map(([name, value]) => (
                      <div>
                        <dt>{name}</dt>
                        <dd>{value}</dd>
                      </div>
                    ))}
                  </dl>
                </>
              )}
            </Pending>
          ) : (
            <Empty text="This version is not in the archive." />
          )}
        </div>
        <div>
          <h3>Text</h3>
          {/* Without permissions: no scripts, no forms, an origin of its own. */}
          {isArchived && (
            <iframe
              key={version}
              class="archived"
              sandbox=""
              referrerpolicy="no-referrer"
              title="Text of the archived page"
              src={addressOf('page/archived', { page, version })}
            />
          )}
        </div>
      </div>
    </div>
  )
}
