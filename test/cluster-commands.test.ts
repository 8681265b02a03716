/** The commands of a crawl on a cluster: `crawl --cluster`, `worker`, and what they refuse. */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { JetStreamMembers } from '../src/cluster/jetstream/jetstream-members.ts'
import { pauseCluster, resumeCluster, stopCluster } from '../src/index.ts'
import { commandEnd, expectRefusal, rankward, startRankward } from './command-line.ts'
import { natsNote, NatsServers, withoutNats } from './support/nats-server.ts'
import { Crawl, work } from './support/virtual-shards.ts'
import { shardFolders } from './support/worker-cluster.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 60, sites: 6, seed: 5, linksPerPage: 4 })
const { seed, reachable } = bestSeed(web.graph)

describe.skipIf(withoutNats)(`commands of a cluster${natsNote}`, () => {
  let servers: NatsServers
  let served: ServedWeb
  let cluster: string[]

  beforeAll(async () => {
    servers = await NatsServers.start(folder)
    served = await serveWeb(web, {})
    cluster = ['--cluster', `nats://${servers.addresses[0]}`]
  })
  afterAll(async () => {
    await servers.stop()
    await served.close()
  })

  const crawlArgs = (name: string): string[] => {
    const limits = ['--scope', 'any', '--wait', '0', '--allow-private']
    return ['crawl', served.urlOf(seed), ...limits, '--json', ...cluster, '--name', name, '--shards', '3']
  }

  it('crawl follows what a worker crawls, and both end with it', async () => {
    const out = join(folder, 'worker')
    const [crawl, worker] = await Promise.all([
      rankward(crawlArgs('web')),
      rankward(['cluster', 'worker', ...cluster, '--out', out, '--json']),
    ])
    expect(JSON.parse(crawl.stdout)).toMatchObject({
      name: 'web',
      pages: reachable,
      stoppedBecause: 'finished',
    })
    expect(JSON.parse(worker.stdout)).toEqual({ crawl: 'web', folder: out, ended: 'finished' })
    expect([crawl.exitCode, worker.exitCode]).toEqual([0, 0])

    const copies = shardFolders(out)
    expect(copies).toHaveLength(3)
    const fetched = await Promise.all(
      copies.map(async (copy) => {
        const { stdout } = await rankward(['export', copy, '--to', '-', '--format', 'tsv'])
        return stdout.split('\n').filter((line) => line.split('\t')[3] === 'fetched')
      }),
    )
    expect(fetched.flat()).toHaveLength(reachable)
    for (const line of fetched.flat()) expect(line).toMatch(/\trankward-[\w-]+-\d+-00000\.warc\.gz\t/)
    const status = await rankward(['status', copies[0], '--json'])
    expect(JSON.parse(status.stdout)).toMatchObject({ progress: { pages: fetched[0].length } })

    expectRefusal(await rankward(crawlArgs('web')), 2, /already has a crawl named web/)
    expectRefusal(await rankward(['resume', copies[0]]), 2, /is a copy of one shard/)
    expectRefusal(await rankward(['report', copies[0]]), 2, /is a copy of one shard/)
  })

  it('worker --wait waits for a crawl that is begun later', async () => {
    const worker = startRankward([
      'cluster',
      'worker',
      ...cluster,
      '--name',
      'later',
      '--wait',
      '--out',
      join(folder, 'later'),
      '--json',
    ])
    const ended = commandEnd(worker)
    await until(worker.stderr, 'Waiting for the crawl later.')
    const crawl = await rankward(crawlArgs('later'))
    expect(JSON.parse(crawl.stdout)).toMatchObject({
      name: 'later',
      pages: reachable,
      stoppedBecause: 'finished',
    })
    expect(JSON.parse((await ended).stdout)).toMatchObject({ crawl: 'later', ended: 'finished' })
  })

  it('worker --metrics serves figures that promtool accepts, and its health', async () => {
    const out = join(folder, 'measured')
    const measured = { cluster: servers.addresses, name: 'measured' }
    const crawl = startRankward(crawlArgs('measured'))
    const crawled = commandEnd(crawl)
    await until(crawl.stderr, 'has begun')
    // So that the worker runs until its figures are read.
    await pauseCluster(measured)
    const options = [...cluster, '--name', 'measured', '--out', out, '--metrics', '0']
    const worker = startRankward(['cluster', 'worker', ...options])
    const ended = commandEnd(worker)
    let shown = ''
    worker.stderr.on('data', (text: string) => (shown += text))
    await until(worker.stderr, 'Working on the crawl')
    const url = /Metrics: (http:\S+)metrics/.exec(shown)![1]
    const health = await fetch(`${url}healthz`)
    expect([health.status, await health.text()]).toEqual([200, 'ok\n'])
    expect((await fetch(`${url}other`)).status).toBe(404)
    const text = await (await fetch(`${url}metrics`)).text()
    expect(text).toMatch(/^process_resident_memory_bytes\{worker="[\w-]+"\} \d+$/m)
    const promtool = '/usr/bin/promtool'
    if (existsSync(promtool))
      expect(spawnSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' })).toMatchObject({
        status: 0,
      })
    await resumeCluster(measured)
    expect([(await crawled).exitCode, (await ended).exitCode]).toEqual([0, 0])
    expectRefusal(await rankward(['cluster', 'worker', ...cluster, '--metrics', 'x:y']), 2, /Expected a port/)
  })

  it('crawl --json counts the pages of the last groups: it waits until every shard has obeyed the stop', async () => {
    const connection = await servers.connect()
    const child = startRankward([...crawlArgs('halted'), '--shards', '4'])
    const ended = commandEnd(child)
    await until(child.stderr, 'has begun')
    const shards = await Crawl.create(connection, 1, 'halted')
    const owners = await Promise.all(shards.journals.map((_, shard) => shards.claim(shard)))
    const members = await JetStreamMembers.open(connection, 'halted', 'worker', 1)
    await members.beat()
    const beats = setInterval(() => void members.beat(), 1000)
    await work(shards, owners)
    const { control } = await stopCluster({ cluster: servers.addresses, name: 'halted' })
    // The command reads the journals again and again, and its requests can be seen by everyone.
    const reads = connection.subscribe('$JS.API.STREAM.MSG.GET.RW_halted_J0', { max: 10 })
    const seen = (async () => {
      for await (const _ of reads);
    })()
    await Promise.race([seen, ended])
    for (let round = 0; round < 3; round++) await work(shards, owners)
    for (const { shard } of owners) shard.control = control
    for (const owner of owners) owner.release()
    const { stdout, exitCode } = await ended
    clearInterval(beats)
    const heads = await shards.heads()
    expect(JSON.parse(stdout)).toMatchObject({
      pages: heads.reduce((sum, head) => sum + head!.fetched, 0),
      stoppedBecause: 'stop',
      orphaned: 0,
    })
    expect(exitCode).toBe(0)
  })

  it.each([
    [['--replicas', '2'], /--replicas.*Expected 1 or 3/],
    [['--replicas', '5'], /--replicas.*Expected 1 or 3/],
    [['--strategy', 'pagerank'], /pagerank does not run on several shards. These do: .*exact-rankmass/],
    [['--out', 'crawl', '--set', 'index=true'], /With --cluster, leave out --out and --set index/],
    [['--topic', 'hills', '--render', 'auto'], /does not support render yet/],
  ])('crawl refuses %s', async (more, message) => {
    expectRefusal(await rankward([...crawlArgs('refused'), ...more]), 2, message)
  })

  it('crawl --dry-run shows the plan and begins nothing', async () => {
    const auth = join(folder, 'auth.txt')
    writeFileSync(auth, 'example.org basic alice:secret\n', { mode: 0o600 })
    const { stdout, stderr, exitCode } = await rankward([
      ...crawlArgs('planned'),
      '--dry-run',
      '--auth',
      auth,
    ])
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
    expect(stdout).toContain('the cluster, as planned')
    expect(stdout).toContain(auth)
    expect(stdout).not.toContain('sha256')
    const { stdout: crawls } = await rankward(['cluster', 'list', '--cluster', servers.addresses[0]])
    expect(crawls).not.toContain('planned')
  })

  it('worker refuses a crawl that does not exist', async () => {
    const args = ['cluster', 'worker', ...cluster, '--name', 'none', '--out', join(folder, 'none')]
    expectRefusal(await rankward(args), 2, /has no crawl named none/)
  })
})

/** Resolves when this text was printed. */
function until(output: NodeJS.ReadableStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    let shown = ''
    output.on('data', (chunk: string) => {
      shown += chunk
      if (shown.includes(text)) resolve()
    })
  })
}
