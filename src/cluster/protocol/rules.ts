/** The two rules that keep mass from being counted twice. Tests break each of them, to prove that it is needed. */
export interface ProtocolRules {
  /** The last message that may be published, given the last one in an acknowledged group and the last one cut. */
  publishUpTo(acknowledged: number, cut: number): number
  /** What to do with message `number` of a source whose last applied message is `applied`. */
  onMessage(number: number, applied: number): 'apply' | 'drop' | 'gap'
}

export const protocolRules: ProtocolRules = {
  publishUpTo: (acknowledged) => acknowledged,
  onMessage: (number, applied) => (number === applied + 1 ? 'apply' : number <= applied ? 'drop' : 'gap'),
}
