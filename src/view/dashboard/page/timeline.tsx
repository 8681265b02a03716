/**
 * The politeness timeline of a site: requests as bars on a time axis. The band after each bar is the gap that the crawl
 * has to keep; the next bar never begins inside it.
 */
import { scaleTime } from 'd3-scale'
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { bytesText, durationText, plural } from '../../../lib/amounts.ts'
import type { SiteDetail, SiteRequest } from '../api/index.ts'
import { useSize } from './context.ts'
import { cutMiddle, plain, timeOfDay } from './format.ts'
import { PageLink } from './parts.tsx'

const heightPx = 116
const barTop = 16
const barBottom = 64
const sidePx = 8

interface TimelineProps {
  /** Oldest first, at least one. */
  readonly requests: readonly SiteRequest[]
  readonly politeness: SiteDetail['politeness']
}

export function Timeline({ requests, politeness }: TimelineProps): VNode {
  const plot = useRef<HTMLDivElement>(null)
  const { width } = useSize(plot)
  const [choice, setChoice] = useState<{ of: readonly SiteRequest[]; index: number }>()
  // The newest, until another one is chosen.
  const chosen = choice?.of === requests ? choice.index : requests.length - 1
  const choose = (index: number): void => {
    if (index >= 0) setChoice({ of: requests, index })
  }
  const first = requests[0].startMs
  const end = Math.max(...requests.map(endOf))
  const x = scaleTime([first, Math.max(end, first + 1)], [sidePx, Math.max(width, 2 * sidePx) - sidePx])
  const chooseAt = ({ offsetX }: MouseEvent): void => {
    const ms = x.invert(offsetX).getTime()
    choose(requests.findLastIndex(({ startMs }) => startMs <= ms))
  }
  const gaps = requests.slice(1).map(({ startMs }, i) => gapSeconds(requests[i], startMs))
  const request = requests[chosen]
  const words = [
    timeOfDay(request.startMs),
    request.answer,
    durationText(request.durationMs / 1000),
    bytesText(request.bytes),
    ...(chosen === 0 ? [] : [`gap before it ${durationText(gaps[chosen - 1])}`]),
  ]
  return (
    <div class="timeline">
      <div ref={plot} class="timeline-plot">
        {width > 0 && (
          <svg
            {...{ width, height: heightPx, role: 'img', 'aria-label': summary(gaps) }}
            onPointerMove={chooseAt}
            onClick={chooseAt}
          >
            {x.ticks(Math.max(2, Math.floor(width / 110))).map((tick) => (
              <Tick at={x(tick)} text={tickText(tick)} width={width} />
            ))}
            {requests.map((each, i) => (
              <Bar
                request={each}
                next={requests[i + 1]}
                isChosen={i === chosen}
                rest={restSeconds(each, politeness)}
                x={(ms) => x(ms)}
              />
            ))}
          </svg>
        )}
      </div>
      <input
        type="range"
        min={0}
        max={requests.length - 1}
        step={1}
        value={chosen}
        aria-label="Request"
        aria-valuetext={`Request ${chosen + 1} of ${requests.length}: ${words.join(', ')}, ${cutMiddle(plain(request.url), 100)}`}
        onInput={({ currentTarget }) => choose(Number(currentTarget.value))}
      />
      <p class="chosen">
        <span>{words.join(' · ')}</span> <PageLink page={request.page} url={request.url} />
      </p>
    </div>
  )
}

function Tick({ at, text, width }: { at: number; text: string; width: number }): VNode {
  return (
    <>
      <line class="grid" x1={at} x2={at} y1={4} y2={heightPx - 18} />
      <text
        class="tick"
        x={at}
        y={heightPx - 4}
        text-anchor={at < 40 ? 'start' : at > width - 40 ? 'end' : 'middle'}
      >
        {text}
      </text>
    </>
  )
}

interface BarProps {
  readonly request: SiteRequest
  readonly next: SiteRequest | undefined
  readonly isChosen: boolean
  /** The gap to keep after it, in seconds. */
  readonly rest: number
  readonly x: (ms: number) => number
}

function Bar({ request, next, isChosen, rest, x }: BarProps): VNode {
  const from = x(request.startMs)
  const to = x(endOf(request))
  const width = Math.max(2, to - from)
  const top = request.isError ? barTop - 6 : barTop
  const gap = next === undefined ? 0 : x(next.startMs) - to
  return (
    <>
      <rect
        class="rest"
        x={to}
        y={barTop + 8}
        width={Math.max(0, x(endOf(request) + 1000 * rest) - to)}
        height={barBottom - barTop - 16}
      />
      <rect
        class={`request${request.isError ? ' is-error' : ''}${isChosen ? ' is-chosen' : ''}`}
        x={from}
        y={top}
        width={width}
        height={barBottom - top}
        rx={Math.min(2, width / 2)}
      />
      {next !== undefined && gap >= 46 && (
        <>
          <path class="gap" d={`M${to + 2} ${barBottom + 10}v-4v8v-4H${to + gap - 2}v-4v8`} />
          <text class="tick" x={to + gap / 2} y={barBottom + 26} text-anchor="middle">
            {durationText(gapSeconds(request, next.startMs))}
          </text>
        </>
      )}
    </>
  )
}

const endOf = ({ startMs, durationMs }: SiteRequest): number => startMs + durationMs

const gapSeconds = (before: SiteRequest, startMs: number): number =>
  Math.max(0, (startMs - endOf(before)) / 1000)

/** The gap after a request that the settings ask for. */
function restSeconds({ durationMs }: SiteRequest, politeness: SiteDetail['politeness']): number {
  const { waitSeconds, waitFactor, crawlDelaySeconds = 0 } = politeness
  return Math.max(waitSeconds, (waitFactor * durationMs) / 1000, crawlDelaySeconds)
}

function summary(gaps: readonly number[]): string {
  if (gaps.length === 0) return '1 request'
  const sorted = gaps.toSorted((a, b) => a - b)
  return `${plural(gaps.length + 1, 'request')}; gaps between them from ${durationText(sorted[0])} to ${durationText(sorted.at(-1)!)}, median ${durationText(sorted[gaps.length >> 1])}`
}

function tickText(date: Date): string {
  const ms = date.getMilliseconds()
  return `${timeOfDay(date.getTime())}${ms === 0 ? '' : `.${String(ms).padStart(3, '0').replace(/0+$/, '')}`}`
}
