/** The NATS servers of docs/cluster and deploy/: what can be checked without containers. test/nats-connect.test.ts runs the configuration. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { natsNote, natsProgram, withoutNats } from './support/nats-server.ts'

const root = join(import.meta.dirname, '..')
const composePath = join(root, 'deploy/compose.yaml')
const confPath = join(root, 'docs/guide/cluster/nats-server.conf')
const compose = readFileSync(composePath, 'utf8')
const conf = readFileSync(confPath, 'utf8')

describe('deploy/compose.yaml', () => {
  it('is YAML', () => {
    // The formatter parses what it checks.
    const oxfmt = join(root, 'node_modules/.bin/oxfmt')
    const { stderr, status } = spawnSync(oxfmt, ['--check', composePath], { encoding: 'utf8' })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  })

  it('passes every secret of the configuration on, and mounts its store', () => {
    const secrets = [...conf.matchAll(/password: \$(\w+)/g)].map(([, name]) => name)
    expect(secrets).toHaveLength(3)
    expect(compose).toContain(`environment: [${secrets.join(', ')}]`)
    const [, store] = /store_dir: "([^"]+)"/.exec(conf)!
    for (const name of ['n1', 'n2', 'n3']) {
      expect(compose).toContain(`'${name}:${store}'`)
      expect(compose).toContain(`nats://${name}:6222`)
      expect(compose).toContain(`--cluster nats://${name}:4222`)
    }
  })
})

describe.skipIf(withoutNats)(`docs/guide/cluster/nats-server.conf${natsNote}`, () => {
  const tested = (env: NodeJS.ProcessEnv) =>
    spawnSync(natsProgram!, ['-t', '-c', confPath], { encoding: 'utf8', env })

  it('is valid with the secrets in the environment, and names the one that is missing', () => {
    const secrets = { NATS_WORKER_PASSWORD: 'a', NATS_OPERATOR_PASSWORD: 'b', NATS_VIEWER_PASSWORD: 'c' }
    expect(tested(secrets)).toMatchObject({ status: 0 })
    const { status, stderr } = tested({ ...secrets, NATS_OPERATOR_PASSWORD: undefined })
    expect(status).toBe(1)
    expect(stderr).toContain('NATS_OPERATOR_PASSWORD')
  })
})
