/** Gives crawls their dashboard and their log. Loaded with the first crawl that has one. */
import { registerClusterWatch } from '../../cluster/watching.ts'
import { dashboardAddress } from '../../crawler/options/dashboard-address.ts'
import { registerWatch } from '../../crawler/session/watching.ts'

registerWatch(async (options, folder) => (await import('./watch.ts')).watchOf(options, folder))

registerClusterWatch(async ({ connection, crawl, dashboard, dashboardToken, dashboardNames, onProblem }) => {
  const [{ openDashboard }, { ClusterSource }] = await Promise.all([
    import('./dashboard.ts'),
    import('./cluster-source.ts'),
  ])
  return openDashboard({
    source: await ClusterSource.open({ connection, crawl }),
    // The option was checked.
    address: dashboardAddress(dashboard ?? '')!,
    tokenFile: dashboardToken,
    names: dashboardNames,
    onProblem,
  })
})
