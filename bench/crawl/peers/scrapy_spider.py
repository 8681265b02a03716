"""Scrapy's CrawlSpider, following every link, set up as its documentation advises for broad crawls."""

import os

from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Pages(CrawlSpider):
    name = "pages"
    start_urls = [os.environ["BENCH_START"]]
    rules = [Rule(LinkExtractor(), follow=True)]
    custom_settings = {
        "CLOSESPIDER_PAGECOUNT": int(os.environ["BENCH_PAGES"]),
        "CONCURRENT_REQUESTS": int(os.environ["BENCH_CONCURRENCY"]),
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "COOKIES_ENABLED": False,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
    }
