/** The view Pages: pages by their URL, or by their text. */
import type { VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { bytesText, finePercent, finePercentText, grouped, plural } from '../../../../lib/amounts.ts'
import { pageSorts, type PageRow, type PageState, type SearchHit } from '../../api/index.ts'
import { Empty, Pending, useAnswer } from '../answer.tsx'
import { usePage, type ViewProps } from '../context.ts'
import { AnswerList, number, offsetIn, type Column } from '../list.tsx'
import {
  Card,
  PageLink,
  pageStates,
  StateBadge,
  stateName,
  Time,
  UrlText,
  ViewFrame,
  WebText,
} from '../parts.tsx'
import { choiceIn, hrefOf, type Route } from '../route.ts'

const limit = 50
const sortNames: Readonly<Record<(typeof pageSorts)[number], string>> = {
  mass: 'importance',
  discovered: 'discovery',
  fetched: 'time fetched',
  bytes: 'size',
}

const sortIn = (route: Route): (typeof pageSorts)[number] => choiceIn(route, 'sort', ['mass', ...pageSorts])

export function PagesView({ route }: ViewProps): VNode {
  const isText = route.params['in'] === 'text' && (route.params['q'] ?? '') !== ''
  return (
    <ViewFrame title="Pages" beside={<SearchForm route={route} />}>
      <Card class="flush">
        {isText ? <TextHits key="text" route={route} /> : <UrlHits key="url" route={route} />}
      </Card>
    </ViewFrame>
  )
}

function TextHits({ route }: ViewProps): VNode {
  const { q = '' } = route.params
  return (
    <Pending name="pages" answer={useAnswer('search', { q, limit: 30 })}>
      {({ hits, matches, pages, match }) =>
        hits.length === 0 ? (
          <Empty text={`None of ${plural(pages, 'archived page')} matches.`} />
        ) : (
          <>
            <p class="soft note">
              {`${grouped(hits.length)} of ${plural(matches, 'matching page')}${match === 'all' ? '' : ` (${match} of the words)`}, ${plural(pages, 'page')} searched`}
            </p>
            <ol class="hits">
              {hits.map((hit) => (
                <Hit key={hit.url} {...hit} />
              ))}
            </ol>
          </>
        )
      }
    </Pending>
  )
}

function Hit({ page, url, title, snippet, pageRank, copies }: SearchHit): VNode {
  return (
    <li>
      <h2>
        <a href={hrefOf('page', { page })}>
          {title === '' ? <UrlText text={url} /> : <WebText text={title} max={120} />}
        </a>
      </h2>
      <UrlText text={url} max={120} />
      <p>{snippet.map(({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}</p>
      <p class="soft">
        {`PageRank ${finePercentText(pageRank)}${copies > 0 ? `, ${plural(copies, 'copy', 'copies')}` : ''}`}
      </p>
    </li>
  )
}

function UrlHits({ route }: ViewProps): VNode {
  const { q, site, state } = route.params
  const query = {
    sort: sortIn(route),
    offset: offsetIn(route),
    limit,
    ...(q === undefined ? {} : { q }),
    ...(site === undefined ? {} : { site }),
    ...(state === undefined ? {} : { state: state as PageState }),
  }
  return (
    <AnswerList
      region="pages"
      name="Pages"
      answer={useAnswer('pages', query, 10)}
      columns={columns}
      keyOf={({ page }) => String(page)}
      empty="No page matches."
      {...{ route, limit }}
    />
  )
}

interface SelectProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly disabled?: boolean
}

/** Choosing submits the form. */
function Select({ label, name, value, options, disabled = false }: SelectProps): VNode {
  return (
    <span class="field">
      <label for={name}>{label}</label>
      <select
        id={name}
        name={name}
        value={value}
        disabled={disabled}
        onChange={({ currentTarget }) => currentTarget.form!.requestSubmit()}
      >
        {options.map(([each, text]) => (
          <option value={each}>{text}</option>
        ))}
      </select>
    </span>
  )
}

function SearchForm({ route }: ViewProps): VNode {
  const { has } = usePage().info
  const { q = '', in: place = '', state = '', site } = route.params
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    input.current!.value = q
  }, [q])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string): string => ((given.get(name) ?? '') as string).trim()
    const sort = text('sort') === 'mass' ? '' : text('sort')
    location.hash =
      text('in') === 'text'
        ? hrefOf('pages', { q: text('q'), in: 'text' })
        : hrefOf('pages', { q: text('q'), site, state: text('state'), sort })
  }
  // The full-text search has an order of its own.
  const isText = place === 'text'
  const places = [['', 'URL'] as const, ...(has.archive ? [['text', 'text'] as const] : [])]
  const states = [['', 'any'] as const, ...pageStates.map((each) => [each, stateName(each)] as const)]
  return (
    <form role="search" class="filters" onSubmit={submit}>
      <span class="field">
        <label for="q">Search</label>
        <input
          ref={input}
          type="search"
          id="q"
          name="q"
          autocomplete="off"
          spellcheck={false}
          maxlength={2000}
        />
      </span>
      <Select label="in" name="in" value={place} options={places} />
      <button type="submit">Search</button>
      <Select label="State" name="state" value={state} options={states} disabled={isText} />
      <Select
        label="Sort by"
        name="sort"
        value={sortIn(route)}
        options={Object.entries(sortNames)}
        disabled={isText}
      />
      <span class="chosen-site">
        {site !== undefined && (
          <>
            on <UrlText text={site} max={40} />{' '}
            <a href={hrefOf('pages', { ...route.params, site: undefined })}>all sites</a>
          </>
        )}
      </span>
    </form>
  )
}

const columns: readonly Column<PageRow>[] = [
  {
    title: 'Page',
    isWide: true,
    cell: ({ page, url, title = '' }) => (
      <>
        <PageLink page={page} url={url} />
        {title !== '' && (
          <div class="soft title">
            <WebText text={title} max={110} />
          </div>
        )}
      </>
    ),
  },
  number('Mass', ({ mass }) => finePercent(mass), { hint: 'Held if it was fetched, waiting otherwise' }),
  { title: 'State', cell: ({ state, error }) => <StateBadge state={state} error={error} /> },
  number('Fetched', ({ atMs }) => <Time ms={atMs} />, { priority: 2 }),
  number(
    'Size',
    ({ bytes, state }) => (bytes === undefined || state !== 'fetched' ? '–' : bytesText(bytes)),
    { priority: 2 },
  ),
  number('Depth', ({ depth }) => depth, { priority: 3, hint: 'Links from a seed' }),
]
