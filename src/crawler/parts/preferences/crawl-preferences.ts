/** Counts what owners say about the pages of a crawl. A crawl with a purpose does not request pages that it could not use. */
import { usePurposes, type UsePurpose } from '../../../web/preferences/known-signals.ts'
import { useVerdict } from '../../../web/preferences/verdict.ts'
import type { OpenedCrawl, OpenedPart, PartWorld, RunningPart } from '../running-part.ts'
import { OwnerStatements } from './owner-statements.ts'
import { optedOut, refusedPurpose } from './options.ts'
import type { PreferenceCounts } from './part.ts'
import { SiteFiles } from './site-files.ts'

/** A newer robots.txt counts after this time at the latest. */
const heldSeconds = 600

export function open(crawl: OpenedCrawl): OpenedPart {
  // Those of earlier sessions.
  const { preferences } = crawl.record.record.counts as Partial<{ preferences: PreferenceCounts }>
  const counts = {
    stated: preferences?.stated ?? 0,
    optedOut: preferences?.optedOut ?? 0,
    disallowed: { ...noneDisallowed, ...preferences?.disallowed },
  }
  return { begin: (world) => begun(crawl, world, counts) }
}

const noneDisallowed = Object.fromEntries(usePurposes.map((purpose) => [purpose, 0])) as Record<
  UsePurpose,
  number
>

type Counted = { -readonly [Name in keyof PreferenceCounts]: PreferenceCounts[Name] } & {
  readonly disallowed: Record<UsePurpose, number>
}

function begun(crawl: OpenedCrawl, { desk, wake }: PartWorld, counts: Counted): RunningPart {
  const { settings, record, pages, engine } = crawl
  const statements = new OwnerStatements({
    file: (name) => record.readRobots(name),
    userAgent: settings.userAgent,
    heldSeconds,
    now: () => desk.now(),
  })
  const purpose = refusedPurpose(settings)
  // A crawl of owners who say nothing has no counts in its groups.
  const current = (): { preferences?: PreferenceCounts } =>
    counts.stated + counts.optedOut === 0
      ? {}
      : { preferences: { ...counts, disallowed: { ...counts.disallowed } } }
  const objecting = (purpose: UsePurpose): Partial<RunningPart> => {
    const files = new SiteFiles({ desk, record, statements, wake })
    return {
      objection(page, url) {
        const { answer, sources } = useVerdict(purpose, statements.ofSite(url))
        if (answer !== 'disallowed')
          return !files.areKnown(engine.pages.siteOf(page), url) ? { kind: 'later' } : undefined
        // A page that was fetched before counts there.
        if (!engine.pages.isCrawled(page)) counts.optedOut++
        return { kind: 'refuse', error: optedOut, text: sources[0] }
      },
      turn: () => files.turn(),
      stop: () => files.stop(),
    }
  }
  return {
    ...(purpose !== undefined && objecting(purpose)),
    fetched({ page, result, isFirst, isRedirect }) {
      if (!isFirst || isRedirect) return
      const stated = statements.of(pages.url(page), result)
      if (stated.length === 0) return
      counts.stated++
      for (const each of usePurposes)
        if (useVerdict(each, stated).answer === 'disallowed') counts.disallowed[each]++
    },
    counts: current,
    progress: current,
    totals: current,
  }
}
