// colly-peer URL PAGES CONCURRENCY: Colly with as many requests at a time, until it has this many pages.
package main

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/gocolly/colly/v2"
)

func main() {
	pages, _ := strconv.Atoi(os.Args[2])
	concurrency, _ := strconv.Atoi(os.Args[3])
	var fetched atomic.Int64
	crawler := colly.NewCollector(colly.Async(true), colly.IgnoreRobotsTxt())
	crawler.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: concurrency})
	crawler.OnRequest(func(request *colly.Request) {
		if fetched.Load() >= int64(pages) {
			request.Abort()
		}
	})
	crawler.OnResponse(func(response *colly.Response) {
		if strings.HasPrefix(response.Headers.Get("Content-Type"), "text/html") {
			fetched.Add(1)
		}
	})
	crawler.OnHTML("a[href], area[href]", func(link *colly.HTMLElement) {
		if fetched.Load() < int64(pages) {
			link.Request.Visit(link.Attr("href"))
		}
	})
	crawler.Visit(os.Args[1])
	crawler.Wait()
}
