// PageRank pulled over the in-links, as one would write it in C++: the measure for bench/pagerank.bench.ts.
// Usage: pagerank-peer FILE TOLERANCE. FILE: pages, links, offsets[pages + 1], sources[links], degrees[pages], each 32 bits.
// Prints the seconds and the iterations until the change is below the tolerance, and the sum of score times (page mod 1009 + 1).
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static std::vector<uint32_t> read(FILE *file, size_t count) {
  std::vector<uint32_t> words(count);
  if (fread(words.data(), 4, count, file) != count) {
    fprintf(stderr, "the file is too short\n");
    exit(1);
  }
  return words;
}

int main(int argc, char **argv) {
  FILE *file = argc == 3 ? fopen(argv[1], "rb") : nullptr;
  if (file == nullptr) return 2;
  const auto sizes = read(file, 2);
  const uint32_t pages = sizes[0];
  const auto offsets = read(file, size_t(pages) + 1);
  const auto sources = read(file, sizes[1]);
  const auto degrees = read(file, pages);
  const double tolerance = atof(argv[2]);
  const double damping = 0.85;
  std::vector<double> scores(pages, 1.0 / pages), contributions(pages);
  double change = INFINITY;
  int iterations = 0;
  const auto start = std::chrono::steady_clock::now();
  for (; change >= tolerance; iterations++) {
    double dangling = 0;
    for (uint32_t page = 0; page < pages; page++) {
      if (degrees[page] == 0) dangling += scores[page];
      else contributions[page] = scores[page] / degrees[page];
    }
    const double jump = (damping * dangling + 1 - damping) / pages;
    change = 0;
    for (uint32_t page = 0; page < pages; page++) {
      double sum = 0;
      for (uint32_t i = offsets[page]; i < offsets[page + 1]; i++) sum += contributions[sources[i]];
      const double score = damping * sum + jump;
      change += std::fabs(score - scores[page]);
      scores[page] = score;
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  double check = 0;
  for (uint32_t page = 0; page < pages; page++) check += scores[page] * (page % 1009 + 1);
  printf("%.9g %d %.17g\n", seconds.count(), iterations, check);
}
