// The parts of the crawler, used individually.
import { canonicalUrl, extractLinks, graphOf, pageRank, parseSitemap, robotsAllows } from 'rankward'

const robotsTxt = 'User-agent: *\nDisallow: /private/\nAllow: /private/open.html\n'
for (const path of ['/', '/private/a.html', '/private/open.html']) {
  const may = robotsAllows(robotsTxt, 'Rankward', `https://example.org${path}`)
  console.log(`${path} ${may ? 'may be fetched' : 'is forbidden'}`)
}

console.log(canonicalUrl('HTTP://Example.ORG:80/a/../b?utm_source=x#top'))

const html = '<base href="/docs/"><a href="intro.html">Start here</a> <a rel="nofollow" href="/ad">Ad</a>'
console.log(extractLinks(html, 'https://example.org/'))

const sitemap = '<urlset><url><loc>https://example.org/a</loc></url></urlset>'
console.log(parseSitemap(sitemap, 'https://example.org/sitemap.xml').urls)

const { scores } = await pageRank(graphOf([[1, 2], [2], [0]]))
console.log([...scores].map((score) => score.toFixed(3)).join(' '))
