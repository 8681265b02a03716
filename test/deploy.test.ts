/** The files of deploy/: what can be checked without containers. Images are not built and charts are not installed here. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Service } from 'kubernetes-models/v1/Service'
import { workerCommand } from '../src/cli/cluster/worker.ts'

const root = join(import.meta.dirname, '..')
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const flags = new Set(workerCommand().options.map(({ long }) => long))

/** Fails for an option that `rankward cluster worker` does not have. */
function expectWorker(words: readonly string[]): void {
  expect(words.slice(0, 2)).toEqual(['cluster', 'worker'])
  for (const word of words.filter((each) => each.startsWith('--'))) expect(flags).toContain(word)
  expect(words).toContain('--wait')
}

const kinds = { Service, PodDisruptionBudget, StatefulSet }

describe('deploy/kubernetes/workers.yaml', () => {
  const documents = parseAllDocuments(textOf('deploy/kubernetes/workers.yaml')).map(
    (each) => each.toJS() as { kind: keyof typeof kinds },
  )

  it('conforms to the schema of Kubernetes', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(['Service', 'PodDisruptionBudget', 'StatefulSet'])
    for (const each of documents) {
      const resource = new kinds[each.kind](each as never)
      expect(() => resource.validate()).not.toThrow()
    }
    const broken = structuredClone(documents[2]) as unknown as { spec: { replicas: unknown } }
    broken.spec.replicas = 'four'
    expect(() => new StatefulSet(broken as never).validate()).toThrow(/replicas/)
  })

  it('starts workers with options that they have', () => {
    const { spec } = documents[2] as unknown as StatefulSet
    const [{ args = [], volumeMounts = [], ports = [] }] = spec!.template.spec!.containers
    expectWorker(args)
    expect(args[args.indexOf('--out') + 1].startsWith(volumeMounts[0].mountPath)).toBe(true)
    expect(args).toContain(`0.0.0.0:${ports[0].containerPort}`)
  })
})

describe('deploy/kubernetes/nats-values.yaml', () => {
  it('asks for three servers with JetStream', () => {
    const values = parse(textOf('deploy/kubernetes/nats-values.yaml')) as object
    expect(values).toMatchObject({
      config: { cluster: { enabled: true, replicas: 3 }, jetstream: { fileStore: { enabled: true } } },
    })
  })
})

describe('deploy/compose.yaml', () => {
  const compose = parse(textOf('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, { command: string; volumes?: string[]; build?: { dockerfile: string } }>
  }

  it('builds the worker from this checkout, and starts it with options that it has', () => {
    const { worker } = compose.services
    expectWorker(worker.command.split(' '))
    expect(existsSync(join(root, worker.build!.dockerfile))).toBe(true)
    expect(worker.command).not.toContain('npx')
  })

  it('mounts files that exist', () => {
    const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes)
    const files = mounted.map((each) => each.split(':')[0]).filter((each) => each.startsWith('.'))
    expect(files.length).toBe(3)
    for (const file of files) expect(existsSync(join(root, 'deploy', file))).toBe(true)
  })
})

describe('deploy/Dockerfile', () => {
  it('copies what exists, and runs the program of the package', () => {
    const text = textOf('deploy/Dockerfile')
    for (const [, list] of text.matchAll(/^COPY (?!--from)(.+) \S+$/gm))
      for (const file of list.split(' ')) expect(existsSync(join(root, file))).toBe(true)
    const { bin } = JSON.parse(textOf('package.json')) as { bin: Record<string, string> }
    expect(text).toContain(bin['rankward'].replace('./', '/app/'))
  })
})
