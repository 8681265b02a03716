/**
 * The claims of the papers, each with the rule by which it is judged: a function of an experiment's results. Reports and `--json` say for each
 * whether it holds on the web at hand.
 */
import type { Section } from '../view/report/report.ts'

export interface Claim<Results> {
  /** Where the paper makes it: a figure, a table or a section. */
  readonly place: string
  readonly claim: string
  /** When it holds. */
  readonly rule: string
  /** Undefined if these results do not tell. */
  readonly judge: (results: Results) => Judgement | undefined
}

interface Judgement {
  /** The figures here, in words. */
  readonly here: string
  readonly holds: boolean
}

export interface JudgedClaim extends Judgement {
  readonly paper: string
  readonly place: string
  readonly claim: string
  readonly rule: string
}

/** The claims that these results tell about, in the order of the paper. */
export function judged<Results>(
  paper: string,
  claims: readonly Claim<Results>[],
  results: Results,
): JudgedClaim[] {
  return claims.flatMap(({ place, claim, rule, judge }) => {
    const judgement = judge(results)
    return judgement === undefined ? [] : [{ paper, place, claim, rule, ...judgement }]
  })
}

export function claimsSection(claims: readonly JudgedClaim[]): Section[] {
  if (claims.length === 0) return []
  const holding = claims.filter(({ holds }) => holds).length
  return [
    {
      title: 'Do the paper’s claims hold here?',
      blocks: [
        {
          kind: 'table',
          id: 'claims',
          title: 'Claims of the paper',
          columns: [
            { title: 'claim' },
            { title: 'where' },
            { title: 'here' },
            { title: 'holds' },
            { title: 'holds if' },
          ],
          rows: claims.map(({ place, claim, here, holds, rule }) => [
            claim,
            place,
            here,
            holds ? 'yes' : 'no',
            rule,
          ]),
          caption: `${holding} of ${claims.length} claims hold on this web.`,
        },
      ],
    },
  ]
}
