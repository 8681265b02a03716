/** The audit of dependencies, by a registry of ours on loopback. */
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { closeAll } from '../src/webgraph/served/listening.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

const version = { name: 'porter2', version: '1.0.0', dist: { tarball: 'http://127.0.0.1/porter2.tgz' } }
/** What npm asks for besides: all there is of the package that has a hole. */
const packument = { name: 'porter2', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }

/** What the script says and how it ends, with a registry that answers so; undefined: with none at all. */
async function audited(advisories?: object): Promise<{ said: string; exitCode: number | null }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const answer = request.url!.endsWith('/bulk') ? advisories : packument
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  if (advisories === undefined) await closeAll([server])
  const env = {
    ...process.env,
    npm_config_registry: registry,
    npm_config_fetch_retries: '0',
    npm_config_cache: mkdtempSync(join(folder, 'npm-')),
  }
  const child = spawn(process.execPath, ['scripts/audit.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (advisories !== undefined) await closeAll([server])
  return { said, exitCode }
}

const hole = (severity: string): object => ({
  porter2: [
    {
      id: 1,
      url: 'http://a.test/1',
      title: 'a hole',
      severity,
      vulnerable_versions: '>=0',
      cwe: [],
      cvss: { score: 9 },
    },
  ],
})

describe.concurrent('the audit', () => {
  it('is content where nothing is known', async () => {
    expect(await audited({})).toEqual({
      said: 'audit: 0 known vulnerabilities, high or critical; 0 in all\n',
      exitCode: 0,
    })
  })

  it.each(['high', 'critical'])('fails where a %s hole is known', async (severity) => {
    const { said, exitCode } = await audited(hole(severity))
    expect(said).toMatch(/^audit: [1-9]/)
    expect(exitCode).toBe(1)
  })

  it('tells of a smaller one, and does not fail', async () => {
    const { said, exitCode } = await audited(hole('moderate'))
    expect(said).toMatch(/^audit: 0 known vulnerabilities, high or critical; [1-9]/)
    expect(exitCode).toBe(0)
  })

  it('is skipped with a message if the registry is unreachable', async () => {
    const { said, exitCode } = await audited()
    expect(said).toMatch(/^audit skipped: the registry did not respond/)
    expect(exitCode).toBe(0)
  })
})
