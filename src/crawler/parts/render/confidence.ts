/** The upper end of the one-sided 95% confidence interval of a share (Clopper and Pearson), if `gained` of `checked` random samples have it. */
export function shareAtMost(gained: number, checked: number): number {
  if (gained >= checked) return 1
  let low = gained / checked
  let high = 1
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (atMost(gained, checked, middle) > 0.05) low = middle
    else high = middle
  }
  return high
}

/** The probability of at most `gained` successes in `checked` trials. */
function atMost(gained: number, checked: number, share: number): number {
  let log = checked * Math.log1p(-share)
  let sum = Math.exp(log)
  for (let k = 1; k <= gained; k++) {
    log += Math.log((checked - k + 1) / k) + Math.log(share) - Math.log1p(-share)
    sum += Math.exp(log)
  }
  return sum
}
