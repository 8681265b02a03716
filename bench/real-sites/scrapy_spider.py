"""Scrapy, breadth first (its documents recommend that for broad crawls), with one connection: all links of one host."""
import re
from urllib.parse import urlsplit

import scrapy
from scrapy.linkextractors import LinkExtractor


class Spider(scrapy.Spider):
    name = "real-sites"
    custom_settings = {
        "CONCURRENT_REQUESTS": 1,
        "ROBOTSTXT_OBEY": False,
        "RETRY_ENABLED": False,
        "COOKIES_ENABLED": False,
        "DEPTH_PRIORITY": 1,
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    }

    def __init__(self, start, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [start]
        self.links = LinkExtractor(allow=["^" + re.escape("http://" + urlsplit(start).netloc + "/")], deny_extensions=[])

    def parse(self, response):
        if not isinstance(response, scrapy.http.TextResponse):
            return
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)
