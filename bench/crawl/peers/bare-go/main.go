// bare-go URL PAGES CONCURRENCY: a minimal crawler of good parts: net/http, the tokenizer of x/net/html, net/url and a
// map. A list instead of a frontier; pages are not stored.
package main

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

func links(body io.Reader, page *url.URL) []string {
	found := []string{}
	tokens := html.NewTokenizer(body)
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return found
		}
		if kind != html.StartTagToken {
			continue
		}
		name, more := tokens.TagName()
		if string(name) != "a" && string(name) != "area" {
			continue
		}
		for more {
			var key, value []byte
			key, value, more = tokens.TagAttr()
			if string(key) != "href" {
				continue
			}
			target, err := page.Parse(string(value))
			if err == nil && (target.Scheme == "http" || target.Scheme == "https") {
				target.Fragment = ""
				found = append(found, target.String())
			}
		}
	}
}

// The links of a page; nil if it is no HTML page.
func fetch(client *http.Client, address string) []string {
	response, err := client.Get(address)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	if response.StatusCode != 200 || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
		io.Copy(io.Discard, response.Body)
		return nil
	}
	return links(response.Body, response.Request.URL)
}

func main() {
	pages, _ := strconv.Atoi(os.Args[2])
	concurrency, _ := strconv.Atoi(os.Args[3])
	client := &http.Client{
		Transport:     &http.Transport{MaxIdleConns: 0, MaxIdleConnsPerHost: 8, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	seen := map[string]bool{os.Args[1]: true}
	list := []string{os.Args[1]}
	results := make(chan []string)
	next, active, fetched := 0, 0, 0
	for {
		for active < concurrency && next < len(list) && fetched+active < pages {
			go func(address string) { results <- fetch(client, address) }(list[next])
			next++
			active++
		}
		if active == 0 {
			return
		}
		found := <-results
		active--
		if found != nil {
			fetched++
		}
		for _, address := range found {
			if !seen[address] {
				seen[address] = true
				list = append(list, address)
			}
		}
	}
}
