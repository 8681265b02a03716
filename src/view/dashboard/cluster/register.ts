/** Gives crawls on a cluster their dashboard. Loaded with the first one. */
import { clusterWatching } from '../../../cluster/watching.ts'
import { dashboardAddress } from '../../../crawler/options/dashboard-address.ts'

clusterWatching.provide(
  async ({ connection, crawl, dashboard, dashboardToken, dashboardNames, onProblem }) => {
    const [{ openDashboard }, { ClusterSource }] = await Promise.all([
      import('../dashboard.ts'),
      import('./cluster-source.ts'),
    ])
    return openDashboard({
      source: await ClusterSource.open({ connection, crawl }),
      address: dashboardAddress(dashboard)!,
      tokenFile: dashboardToken,
      names: dashboardNames,
      onProblem,
    })
  },
)
