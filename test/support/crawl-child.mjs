/**
 * A crawl in a process of its own, to be killed. It begins when it is told its options, as JSON on standard input: those
 * of a crawl, or of a resume where they have no seeds. Runs the built code.
 */
import { once } from 'node:events'
import { crawl, resumeCrawl } from '../../dist/bundle/index.js'

process.stdin.once('end', () => process.exit())
const [text] = await once(process.stdin, 'data')
const options = JSON.parse(text)
await (options.seeds === undefined ? resumeCrawl(options) : crawl(options)).run()
process.exit()
