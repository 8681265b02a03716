-- Asks for the URLs of a list in turn: HTTP alone, no page is looked at.
local requests = {}
local at = 0

function init()
  for url in io.lines(os.getenv("BENCH_URLS")) do
    local host, path = url:match("^http://([^/]+)(/.*)$")
    requests[#requests + 1] = wrk.format("GET", path, { Host = host })
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
