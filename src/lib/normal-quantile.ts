/**
 * The quantile of the normal distribution: the x below which a standard normal number falls with probability
 * p. Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics 37,
 * 1988: three rational functions, about 16 significant digits for every p strictly between 0 and 1, some 20
 * ns each.
 */

/** Numerators and denominators, highest power first, with as many of Wichura's digits as a double holds. */
const middle = {
  over: [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
    1971.5909503065513, 133.14166789178438, 3.3871328727963665,
  ],
  under: [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
    687.1870074920579, 42.31333070160091, 1,
  ],
} as const
const outer = {
  over: [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
    5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  under: [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
    1.6763848301838038, 2.053191626637759, 1,
  ],
} as const
const far = {
  over: [
    2.0103343992922881e-7, 0.000027115555687434876, 0.0012426609473880784, 0.026532189526576124,
    0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  under: [
    2.0442631033899397e-15, 1.421511758316446e-7, 0.000018463183175100548, 0.0007868691311456133,
    0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
  ],
} as const

type Eight = readonly [number, number, number, number, number, number, number, number]

export function normalQuantile(probability: number): number {
  const q = probability - 0.5
  if (Math.abs(q) <= 0.425) return q * ratio(middle, 0.180625 - q * q)
  const r = Math.sqrt(-Math.log(q < 0 ? probability : 1 - probability))
  const distance = r <= 5 ? ratio(outer, r - 1.6) : ratio(far, r - 5)
  return q < 0 ? -distance : distance
}

function ratio({ over, under }: { over: Eight; under: Eight }, x: number): number {
  return polynomial(over, x) / polynomial(under, x)
}

/** Horner's rule, unrolled: a loop over eight coefficients takes three times as long. */
function polynomial(c: Eight, x: number): number {
  return ((((((c[0] * x + c[1]) * x + c[2]) * x + c[3]) * x + c[4]) * x + c[5]) * x + c[6]) * x + c[7]
}
