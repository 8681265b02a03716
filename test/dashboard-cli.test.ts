/** The dashboard from the command line: its address is printed, and it ends with its command. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandEnd, expectRefusal, rankward, startRankward } from './command-line.ts'
import { get, send } from './support/dashboard.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

/** The first match in what a command prints while it runs. */
function printed(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = ''
    stream.on('data', (part: Buffer | string) => {
      text += part.toString()
      const match = pattern.exec(text)
      if (match !== null) resolve(match)
    })
    stream.on('end', () => reject(new Error(`printed ${text}`)))
  })
}

describe('rankward', () => {
  it('demo --dashboard prints the address and the token, and ends; dashboard then shows the crawl until it is stopped', async () => {
    const demo = startRankward(
      ['demo', '--pages', '60', '--sites', '4', '--out', 'demo', '--dashboard', '0'],
      folder,
    )
    const address = printed(
      demo.stderr,
      /Dashboard: (http:\/\/127\.0\.0\.1:\d+\/) \(control needs the token (\S{32})\)/,
    )
    const end = await commandEnd(demo)
    await address
    expect(end.exitCode).toBe(0)

    const dashboard = startRankward(['dashboard', 'demo', '--port', '0'], folder)
    const [, url] = await printed(dashboard.stdout, /Dashboard: (http:\/\/127\.0\.0\.1:\d+\/)\n/)
    expect(await get(url, 'crawl')).toMatchObject({ name: 'demo', isLive: false, isRunning: false })
    expect((await get(url, 'now')).pages).toBeGreaterThan(0)
    const second = await rankward(['dashboard', 'demo', '--port', new URL(url).port], folder)
    expectRefusal(second, 1, /cannot listen on 127\.0\.0\.1:\d+: another program uses this port/)
    const ended = commandEnd(dashboard)
    dashboard.kill('SIGINT')
    expect((await ended).exitCode).toBe(0)
    await expect(send(url)).rejects.toThrow(/ECONNREFUSED/)
  })

  it.each(['--dashboard-token', '--token'])('dashboard %s reads the token from a file', async (flag) => {
    const token = 'a-token-of-my-own-16'
    writeFileSync(join(folder, 'token.txt'), `${token}\n`)
    const host = ['--port', '0', '--host', '0.0.0.0', '--json']
    const child = startRankward(['dashboard', 'demo', ...host, flag, 'token.txt'], folder)
    const [json] = await printed(child.stdout, /\{[^}]+\}/)
    const { url } = JSON.parse(json) as { url: string }
    expect(json).not.toContain(token)
    const local = url.replace('localhost', '127.0.0.1')
    const headers = { authorization: `Bearer ${token}` }
    expect((await send(`${local}api/v1/now`, { headers })).status).toBe(200)
    const ended = commandEnd(child)
    child.kill('SIGTERM')
    expect((await ended).exitCode).toBe(0)
  })

  it('dashboard on all addresses prints the token that reading needs', async () => {
    const child = startRankward(['dashboard', 'demo', '--port', '0', '--host', '0.0.0.0', '--json'], folder)
    const [json] = await printed(child.stdout, /\{[^}]+\}/)
    const { url, token, needsToken } = JSON.parse(json) as { url: string; token: string; needsToken: boolean }
    expect(needsToken).toBe(true)
    const local = url.replace('localhost', '127.0.0.1')
    expect((await send(`${local}api/v1/now`)).status).toBe(401)
    const headers = { authorization: `Bearer ${token}` }
    expect((await send(`${local}api/v1/now`, { headers })).status).toBe(200)
    const ended = commandEnd(child)
    child.kill('SIGTERM')
    expect((await ended).exitCode).toBe(0)
  })

  it('refuses a folder without a crawl and an address that is none', async () => {
    expectRefusal(await rankward(['dashboard', join(folder, 'nothing')]), 2, /holds no crawl/)
    const bad = await rankward(['crawl', 'https://example.org/', '--dashboard', 'eighty'], folder)
    expectRefusal(bad, 2, /Expected a port such as 8080/)
  })
})
