// spider.mjs URL PAGES: spider, in Rust, through its Node binding. The binding has no option for the number
// of connections; spider derives it from the cores.
import { Website } from '@spider-rs/spider-rs'

const [start, pages] = process.argv.slice(2)
const website = new Website(start)
  .withBudget({ '*': Number(pages) })
  .withExternalDomains(['*'])
  .withRespectRobotsTxt(false)
  .withDelay(0)
  .withDepth(0)
  .build()
await website.crawl()
