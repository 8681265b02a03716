/** Gives crawls on a cluster their dashboard. Loaded with the first one. */
import { clusterWatching } from '../../../cluster/watching.ts'

clusterWatching.provide(
  async ({ connection, crawl, dashboard, dashboardToken, dashboardNames, onProblem }) => {
    const [{ openDashboard }, { ClusterSource }, { dashboardAddress }] = await Promise.all([
      import('../dashboard.ts'),
      import('./cluster-source.ts'),
      import('../../../crawler/options/dashboard-address.ts'),
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
