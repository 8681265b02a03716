/** The dashboard and the log of a crawl of this process, if it has them. */
import type { Watch, WatchOptions } from '../../crawler/session/watching.ts'
import type { CrawlEvent } from '../../crawler/options/crawl-options.ts'
import { dashboardAddress } from '../../crawler/options/dashboard-address.ts'
import type { CrawlFolder } from '../../crawler/record/crawl-folder.ts'
import { CrawlLog } from './crawl-log.ts'
import { openDashboard, type Dashboard } from './dashboard.ts'
import { LiveSource } from './live-source.ts'

export function watchOf(options: WatchOptions, folder: CrawlFolder): Watch {
  const { dashboard: address, dashboardToken, dashboardNames, log: path, logLevel = 'info' } = options
  const log = path === undefined ? undefined : CrawlLog.open(path, logLevel, folder.file.options)
  const onProblem = (what: string): void => log?.problem(what)
  let dashboard: Dashboard | undefined
  let source: LiveSource | undefined
  const onEvent = (event: CrawlEvent): void => {
    log?.event(event)
    dashboard?.event(event)
    options.onEvent?.(event)
  }
  return {
    onEvent,
    onControl(entry) {
      log?.control(entry)
      dashboard?.controlled(entry)
    },
    async open(session) {
      if (address === undefined) return
      source = new LiveSource(session, folder, onProblem)
      dashboard = await openDashboard({
        source,
        // The option was checked.
        address: dashboardAddress(address)!,
        tokenFile: dashboardToken,
        names: dashboardNames,
        onProblem,
      })
      const { url, needsToken } = dashboard
      log?.hide(dashboard.token)
      const token = dashboardToken === undefined ? dashboard.token : undefined
      onEvent({ kind: 'dashboard', url, token, needsToken })
    },
    async ended(totals) {
      log?.end(totals)
      source?.ended(totals.stoppedBecause)
      await dashboard?.changed()
    },
    async close() {
      await dashboard?.close()
      log?.close()
    },
  }
}
