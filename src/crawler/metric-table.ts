/** Figures for Prometheus: a table of metrics as text. Labels have few values: never a URL, a host, or another text from the web. */
import { Counter, Gauge, Registry, type RegistryContentType } from 'prom-client'

export type Labelled = readonly (readonly [label: string, value: number | undefined])[]

export interface MetricRow<Source> {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  /** The name of its label. */
  readonly label?: string
  /** Undefined: the metric is absent. */
  readonly read: (source: Source) => number | undefined | Labelled
}

/** The metrics as text, in the OpenMetrics format if the client accepts it. `labels`: of each of them. */
export async function metricsText<Source>(
  rows: readonly MetricRow<Source>[],
  source: Source,
  accept = '',
  labels: Readonly<Record<string, string>> = {},
): Promise<{ type: string; text: string }> {
  const registry = new Registry<RegistryContentType>()
  const isOpen = accept.includes('application/openmetrics-text')
  registry.setContentType(isOpen ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE)
  registry.setDefaultLabels(labels)
  for (const row of rows) add(registry, row, source)
  return { type: registry.contentType, text: await registry.metrics() }
}

function add<Source>(registry: Registry<RegistryContentType>, row: MetricRow<Source>, source: Source): void {
  const { name, help, label } = row
  const read = row.read(source)
  if (read === undefined) return
  const configuration = { name, help, registers: [registry], labelNames: label === undefined ? [] : [label] }
  const labelled: Labelled = typeof read === 'number' ? [['', read]] : read
  if (row.type === 'counter') {
    const counter = new Counter(configuration)
    for (const [value, count = 0] of labelled) {
      if (label === undefined) counter.inc(count)
      else counter.inc({ [label]: value }, count)
    }
    return
  }
  const gauge = new Gauge(configuration)
  for (const [value, figure] of labelled) {
    if (figure === undefined) continue
    if (label === undefined) gauge.set(figure)
    else gauge.set({ [label]: value }, figure)
  }
}
