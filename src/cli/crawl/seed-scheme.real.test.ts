import { createServer as createHttpsServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { rankward, startRankward, commandEnd } from '../../../test/command-line.ts'
import { pageWith, serveSmall } from '../../../test/support/small-web.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { certificate, hasOpenssl, httpServer, listening } from '../../crawler/fetch/fetch-thread.cases.ts'
import { schemeFinder } from './seed-scheme.ts'

describe('the scheme of a seed without one', () => {
  it.skipIf(!hasOpenssl())(
    'is https if the server speaks TLS, even with an invalid certificate',
    async () => {
      const port = await listening(createHttpsServer(certificate(), (_request, response) => response.end()))
      const schemeOf = schemeFinder({ connectTo: [`new.test:443:127.0.0.1:${port}`] })!
      expect(await schemeOf('https://new.test/a')).toBe('https')
    },
  )

  it('is http if it does not, and a connection can be opened; no request is sent', async () => {
    let requests = 0
    const server = await httpServer((_request, response) => {
      requests++
      response.end()
    })
    const { port } = new URL(server)
    const connectTo = [
      `old.test:443:127.0.0.1:9`,
      `old.test:80:127.0.0.1:${port}`,
      `odd.test:81:127.0.0.1:${port}`,
    ]
    const schemeOf = schemeFinder({ connectTo })!
    expect(await schemeOf('https://old.test/')).toBe('http')
    expect(await schemeOf('https://odd.test:81/')).toBe('http')
    expect(requests).toBe(0)
  })

  it('stays https if no server responds, and is not tried in a dry run or behind a proxy', async () => {
    const connectTo = ['gone.test::127.0.0.1:9']
    expect(await schemeFinder({ connectTo })!('https://gone.test/')).toBe('https')
    expect(schemeFinder({ dryRun: true })).toBeUndefined()
    expect(schemeFinder({ proxy: ['http://127.0.0.1:9'] })).toBeUndefined()
  })

  it('is in a note, and seeds come from standard input', async () => {
    const folder = temporaryFolder()
    const web = await serveSmall({ '127.6.3.1': { '/': pageWith('home', '/a'), '/a': 'a', '/b': 'b' } })
    const lines = `127.6.3.1:${web.port}\n# comment\n${web.url('127.6.3.1/b')}\n`
    const args = ['crawl', '-', '--out', 'crawl', '--wait', '0', '--allow-private', '--json']
    const child = startRankward(args, folder, {}, lines)
    const { stdout, stderr, exitCode } = await commandEnd(child)
    expect(exitCode).toBe(0)
    expect(stderr).toContain(
      `note: http is used for addresses and localhost without a scheme: http://127.6.3.1:${web.port}/`,
    )
    expect(JSON.parse(stdout)).toMatchObject({ pages: 3 })
    const tried = await rankward(
      [
        'crawl',
        'old.test',
        '--out',
        'old',
        '--pages',
        '1',
        '--connect-to',
        `old.test::127.6.3.1:${web.port}`,
      ],
      folder,
    )
    expect(tried.stderr).toContain('note: http is used where https does not respond: http://old.test/')
    expect(tried.exitCode).toBe(0)
    await web.close()
  })
})
