// Crawls a web by an ordering and evaluates the order, in straightforward C++: the reference of bench/simulate.bench.ts.
// Usage: simulate-peer EDGES STRATEGY SEED. EDGES: a SNAP edge list; the first run leaves its binary form at EDGES.bin, which later runs read.
// STRATEGY: breadth-first, backlink-count, opic or rankmass. Prints the seconds to read, to rank, to crawl and to judge, the
// number of pages and the average cumulative PageRank.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using Words = std::vector<uint32_t>;
static const double damping = 0.85;

struct Graph {
  Words offsets, targets;
  uint32_t pages() const { return uint32_t(offsets.size() - 1); }
};

static double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static std::vector<char> contents(FILE *file) {
  fseek(file, 0, SEEK_END);
  std::vector<char> text(size_t(ftell(file)) + 1);
  rewind(file);
  text.resize(fread(text.data(), 1, text.size(), file));
  text.push_back('\n');
  return text;
}

/** Counting sort by source; lists are sorted, without repeated links and links of a page to itself. */
static Graph fromText(FILE *file) {
  const auto text = contents(file);
  Words from, to;
  uint32_t pages = 0;
  for (const char *at = text.data(), *end = at + text.size(); at < end; at++) {
    if (*at == '#') {
      while (*at != '\n') at++;
      continue;
    }
    if (*at < '0' || *at > '9') continue;
    uint32_t ids[2] = {0, 0};
    for (auto &id : ids) {
      while (*at < '0') at++;
      while (*at >= '0') id = id * 10 + uint32_t(*at++ - '0');
    }
    from.push_back(ids[0]);
    to.push_back(ids[1]);
    pages = std::max(pages, std::max(ids[0], ids[1]) + 1);
  }
  Words starts(pages + 1);
  for (uint32_t page : from) starts[page + 1]++;
  for (uint32_t page = 0; page < pages; page++) starts[page + 1] += starts[page];
  Words lists(to.size()), fill(starts);
  for (size_t i = 0; i < to.size(); i++) lists[fill[from[i]]++] = to[i];
  Graph graph;
  graph.offsets.push_back(0);
  for (uint32_t page = 0; page < pages; page++) {
    std::sort(lists.begin() + starts[page], lists.begin() + starts[page + 1]);
    for (uint32_t i = starts[page]; i < starts[page + 1]; i++)
      if (lists[i] != page && (i == starts[page] || lists[i] != lists[i - 1])) graph.targets.push_back(lists[i]);
    graph.offsets.push_back(uint32_t(graph.targets.size()));
  }
  return graph;
}

static Graph readGraph(const std::string &path) {
  const std::string cached = path + ".bin";
  Graph graph;
  uint32_t sizes[2];
  if (FILE *file = fopen(cached.c_str(), "rb")) {
    bool complete = fread(sizes, 4, 2, file) == 2;
    graph.offsets.resize(sizes[0] + 1);
    graph.targets.resize(sizes[1]);
    complete = complete && fread(graph.offsets.data(), 4, sizes[0] + 1, file) == sizes[0] + 1 &&
               fread(graph.targets.data(), 4, sizes[1], file) == sizes[1];
    fclose(file);
    if (complete) return graph;
  }
  FILE *text = fopen(path.c_str(), "rb");
  if (text == nullptr) exit(2);
  graph = fromText(text);
  fclose(text);
  if (FILE *file = fopen(cached.c_str(), "wb")) {
    sizes[0] = graph.pages();
    sizes[1] = uint32_t(graph.targets.size());
    fwrite(sizes, 4, 2, file);
    fwrite(graph.offsets.data(), 4, graph.offsets.size(), file);
    fwrite(graph.targets.data(), 4, graph.targets.size(), file);
    fclose(file);
  }
  return graph;
}

/** Pull over the in-links until the change is below 1e-12, as bench/pagerank-peer.cpp. */
static std::vector<double> pageRank(const Graph &graph, const std::vector<bool> &isReached, uint32_t reached) {
  const uint32_t pages = graph.pages();
  Words starts(pages + 1), sources(graph.targets.size());
  for (uint32_t target : graph.targets) starts[target + 1]++;
  for (uint32_t page = 0; page < pages; page++) starts[page + 1] += starts[page];
  Words fill(starts);
  for (uint32_t page = 0; page < pages; page++)
    for (uint32_t i = graph.offsets[page]; i < graph.offsets[page + 1]; i++)
      if (isReached[page]) sources[fill[graph.targets[i]]++] = page;
  std::vector<double> scores(pages), contributions(pages);
  for (uint32_t page = 0; page < pages; page++) scores[page] = isReached[page] ? 1.0 / reached : 0;
  for (double change = INFINITY; change >= 1e-12;) {
    double dangling = 0;
    for (uint32_t page = 0; page < pages; page++) {
      const uint32_t degree = graph.offsets[page + 1] - graph.offsets[page];
      if (degree == 0) dangling += scores[page];
      else contributions[page] = scores[page] / degree;
    }
    const double jump = (damping * dangling + 1 - damping) / reached;
    change = 0;
    for (uint32_t page = 0; page < pages; page++) {
      if (!isReached[page]) continue;
      double sum = 0;
      for (uint32_t i = starts[page]; i < fill[page]; i++) sum += contributions[sources[i]];
      const double score = damping * sum + jump;
      change += std::fabs(score - scores[page]);
      scores[page] = score;
    }
  }
  return scores;
}

/** A binary heap of pages with stored places: the highest key first, then the page found first. */
struct Heap {
  Words heap, places;
  std::vector<double> keys;
  Words found;
  explicit Heap(uint32_t pages) : places(pages, UINT32_MAX), keys(pages), found(pages) {}
  bool has(uint32_t page) const { return places[page] != UINT32_MAX; }
  bool precedes(uint32_t a, uint32_t b) const {
    return keys[a] > keys[b] || (keys[a] == keys[b] && found[a] < found[b]);
  }
  void put(uint32_t place, uint32_t page) {
    heap[place] = page;
    places[page] = place;
  }
  void raise(uint32_t page, double key) {
    keys[page] = key;
    uint32_t place = places[page];
    if (place == UINT32_MAX) {
      place = uint32_t(heap.size());
      heap.push_back(page);
    }
    for (; place > 0 && precedes(page, heap[(place - 1) / 2]); place = (place - 1) / 2) put(place, heap[(place - 1) / 2]);
    put(place, page);
  }
  uint32_t pop() {
    const uint32_t first = heap[0], last = heap.back();
    heap.pop_back();
    places[first] = UINT32_MAX;
    if (heap.empty()) return first;
    uint32_t place = 0;
    for (uint32_t child; (child = 2 * place + 1) < heap.size(); place = child) {
      if (child + 1 < heap.size() && precedes(heap[child + 1], heap[child])) child++;
      if (!precedes(heap[child], last)) break;
      put(place, heap[child]);
    }
    put(place, last);
    return first;
  }
};

static Words breadthFirst(const Graph &graph, uint32_t seed) {
  std::vector<bool> isKnown(graph.pages());
  Words order{seed};
  isKnown[seed] = true;
  for (size_t next = 0; next < order.size(); next++) {
    const uint32_t page = order[next];
    for (uint32_t i = graph.offsets[page]; i < graph.offsets[page + 1]; i++) {
      const uint32_t to = graph.targets[i];
      if (isKnown[to]) continue;
      isKnown[to] = true;
      order.push_back(to);
    }
  }
  return order;
}

/** backlink-count: a link carries 1. opic: a share of the page's cash; every page has 1 of its own. */
static Words bestFirst(const Graph &graph, uint32_t seed, bool isOpic) {
  Heap heap(graph.pages());
  std::vector<bool> isCrawled(graph.pages()), isKnown(graph.pages());
  Words order;
  uint32_t known = 0;
  const auto discover = [&](uint32_t page) {
    isKnown[page] = true;
    heap.found[page] = known++;
    heap.raise(page, isOpic ? 1 : 0);
  };
  for (discover(seed); !heap.heap.empty();) {
    const uint32_t page = heap.pop();
    isCrawled[page] = true;
    order.push_back(page);
    const uint32_t start = graph.offsets[page], end = graph.offsets[page + 1];
    const double share = isOpic ? heap.keys[page] / (end - start) : 1;
    for (uint32_t i = start; i < end; i++) {
      const uint32_t to = graph.targets[i];
      if (!isKnown[to]) discover(to);
      if (isCrawled[to]) heap.keys[to] += share;
      else heap.raise(to, heap.keys[to] + share);
    }
  }
  return order;
}

/** The page with the most mass is expanded, crawled before or not, until all but 1e-6 is certain; then pages by mass. */
static Words rankMass(const Graph &graph, uint32_t seed) {
  Heap waiting(graph.pages()), crawled(graph.pages());
  std::vector<bool> isCrawled(graph.pages()), isKnown(graph.pages());
  std::vector<double> mass(graph.pages());
  Words order;
  uint32_t known = 0;
  double certain = 0;
  const auto discover = [&](uint32_t page) {
    isKnown[page] = true;
    waiting.found[page] = crawled.found[page] = known++;
  };
  const auto receive = [&](uint32_t page, double share) {
    if (!isKnown[page]) discover(page);
    mass[page] += share;
    (isCrawled[page] ? crawled : waiting).raise(page, mass[page]);
  };
  for (receive(seed, 1 - damping); !waiting.heap.empty();) {
    const bool isAgain = !crawled.heap.empty() && certain < 1 - 1e-6 && mass[crawled.heap[0]] >= mass[waiting.heap[0]];
    const uint32_t page = isAgain ? crawled.pop() : waiting.pop();
    const double passed = mass[page];
    mass[page] = 0;
    certain += passed;
    if (!isAgain) {
      isCrawled[page] = true;
      order.push_back(page);
    }
    const uint32_t start = graph.offsets[page], end = graph.offsets[page + 1];
    if (start == end) receive(seed, damping * passed);
    const double share = damping * passed / (end - start);
    for (uint32_t i = start; i < end; i++) receive(graph.targets[i], share);
  }
  return order;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const uint32_t seed = uint32_t(atol(argv[3]));
  double times[5] = {seconds()};
  const Graph graph = readGraph(argv[1]);
  times[1] = seconds();
  const Words reached = breadthFirst(graph, seed);
  std::vector<bool> isReached(graph.pages());
  for (uint32_t page : reached) isReached[page] = true;
  const auto scores = pageRank(graph, isReached, uint32_t(reached.size()));
  times[2] = seconds();
  const bool isOpic = strcmp(argv[2], "opic") == 0;
  const Words order = strcmp(argv[2], "breadth-first") == 0 ? breadthFirst(graph, seed)
                      : strcmp(argv[2], "rankmass") == 0    ? rankMass(graph, seed)
                                                            : bestFirst(graph, seed, isOpic);
  times[3] = seconds();
  double sum = 0, area = 0;
  for (uint32_t page : order) area += sum += scores[page];
  times[4] = seconds();
  for (int i = 0; i < 4; i++) printf("%.4f ", times[i + 1] - times[i]);
  printf("%zu %.17g\n", order.size(), area / double(order.size()));
}
