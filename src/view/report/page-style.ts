/**
 * The style sheet of a report, for wide and narrow screens, light and dark themes, and print. Colours are
 * variables; the series' eight are at least 4.5 : 1 against their background in both themes, and no series
 * relies on its colour.
 */
import { shareBarStyle } from '../pictures/share-bar.tsx'

const light = `--paper:#fff;--card:#fff;--ink:#1c2330;--soft:#525c6b;--rule:#d9dde4;--grid:#e9ecf0;--tint:#f4f6f9;--link:#1a56b0;--ref:#6a7382;--map:#c5cedb;--held:#0b69b0;--tile:#9ac0e0;--robots:#a85a8c;--failed:#c24e00;--scope:#8a6d00;--waiting:#c5cedb;--waiting-line:#a3afc0;--outside:#8b96a5;
--s0:#1a5fb8;--s1:#b84500;--s2:#08775a;--s3:#8a2f9e;--s4:#866000;--s5:#0a7590;--s6:#b8195b;--s7:#161b26`

const dark = `--paper:#11151c;--card:#171c25;--ink:#e8ebf0;--soft:#a7b0bf;--rule:#343c4a;--grid:#262d39;--tint:#1d232e;--link:#8ab8ff;--ref:#98a2b3;--map:#414c5d;--held:#4aa3e6;--tile:#2c5678;--robots:#d992bd;--failed:#ff8f4d;--scope:#dcb83f;--waiting:#414c5d;--waiting-line:#5c6a7f;--outside:#8591a3;
--s0:#82b4ff;--s1:#ff9f68;--s2:#50d0a6;--s3:#d8a3f2;--s4:#e5c458;--s5:#66d2ee;--s6:#ff8fbe;--s7:#f2f4f7`

const seriesRules = Array.from(
  { length: 8 },
  (_, i) => `.s${i}{stroke:var(--s${i});--own:var(--s${i})}`,
).join('')

/** The style of a plot, on a page or standalone. */
const plotRules = `
svg text{font:13px/1.3 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:var(--ink);stroke:none}
svg .tick{font-size:12px;fill:var(--soft);font-variant-numeric:tabular-nums}
svg .label{fill:var(--soft)}
svg .grid{stroke:var(--grid)}
svg .axis{fill:none;stroke:var(--ref)}
svg .cross{stroke:var(--ink);stroke-width:1;stroke-dasharray:2 2}
svg .result>path{fill:none;stroke-width:2;stroke-linejoin:round}
svg .result>path.band{stroke:none;fill:var(--own);fill-opacity:.16}
svg .reference>path{fill:none;stroke-width:1.6}
svg .ref{stroke:var(--ref);--own:var(--ref)}
svg .mark{fill:var(--card);stroke-width:1.7}
svg .mark .open{fill:none}
svg .bars{stroke:none;fill:var(--own)}
svg .off{opacity:.35}svg .hidden{display:none}
svg .legend [role=button]{cursor:pointer}svg .legend [role=button]:focus-visible{outline:2px solid var(--link);outline-offset:2px}
svg.treemap .rest{fill:var(--map)}svg.treemap .held{fill:var(--tile)}
svg.treemap text{font-size:12px}
svg.treemap .site{font-weight:600}
svg.treemap .cell:hover rect{opacity:.85}
${seriesRules}`

export const pageStyle = `
:root{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,header,footer{max-width:56rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:3rem}
p,li,figcaption,.caption{max-width:44rem;text-wrap:pretty}
h1{font-size:clamp(1.6rem,1.1rem + 2.4vw,2.5rem);line-height:1.15;letter-spacing:-.02em;margin:.2em 0 .6em;text-wrap:balance}
h2{font-size:1.45rem;line-height:1.25;letter-spacing:-.01em;margin:3.5rem 0 .5rem;padding-top:1.25rem;border-top:1px solid var(--rule);text-wrap:balance}
h3{font-size:1.0625rem;line-height:1.35;margin:0 0 .6rem;text-wrap:balance}
.over{color:var(--soft);font-size:.875rem;letter-spacing:.02em;margin:0}
a{color:var(--link)}
code{font:.9em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--tint);padding:.1em .3em;border-radius:.25em;overflow-wrap:anywhere}
sub{line-height:0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.25rem;margin:1.75rem 0;padding:1rem 1.2rem;background:var(--tint);border-radius:.6rem;font-size:.9375rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
dl.big{grid-template-columns:repeat(auto-fit,minmax(min(100%,8.5rem),1fr));gap:.75rem;padding:0;background:none}
dl.big>div{background:var(--tint);border-radius:.6rem;padding:.8rem 1rem;min-width:0}
dl.big dd{margin:0}dl.big strong{display:block;font-size:clamp(1.7rem,1.3rem + 1.6vw,2.5rem);line-height:1.15;letter-spacing:-.02em;font-weight:650;font-variant-numeric:tabular-nums}
dl.big span{color:var(--soft);font-size:.875rem}
nav ul{list-style:none;padding:0;margin:1rem 0;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-size:.9375rem}
figure,.table{margin:1.75rem 0 2.5rem;scroll-margin-top:1rem}
.plot{position:relative;background:var(--card);border:1px solid var(--rule);border-radius:.6rem;padding:.75rem}
svg{display:block;width:100%;height:auto;touch-action:pan-y}
svg:focus-visible,summary:focus-visible,a:focus-visible{outline:2px solid var(--link);outline-offset:3px;border-radius:.2rem}
svg.narrow{display:none}
figcaption,.caption{margin:.75rem 0 0}
.more{margin:.5rem 0 0;font-size:.875rem;color:var(--soft);display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline}
.more details{flex:0 1 auto;min-width:0}.more details[open]{flex-basis:100%}
summary{cursor:pointer}
.scroll{overflow-x:auto;max-width:100%;margin-top:.5rem}
table{border-collapse:collapse;font-size:.9375rem;font-variant-numeric:tabular-nums;color:var(--ink)}
details table{font-size:.8125rem}
th,td{padding:.35rem .7rem;text-align:left;border-bottom:1px solid var(--rule);vertical-align:baseline;overflow-wrap:normal}
th{font-weight:600}thead th{color:var(--soft);font-weight:500;font-size:.875em;vertical-align:bottom}
thead tr:last-child th{border-bottom:2px solid var(--rule)}
tbody th{font-weight:400;white-space:nowrap}tbody th.words{white-space:normal;min-width:15rem}
.address{overflow-wrap:anywhere}
th button{all:unset;cursor:pointer;white-space:inherit}th button:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:.2rem}
th button::after{content:"↕";opacity:.45;margin-left:.3em}th[aria-sort=ascending] button::after{content:"↑";opacity:1}th[aria-sort=descending] button::after{content:"↓";opacity:1}

th.group{text-align:center;border-bottom:1px solid var(--rule)}
td.number,th.number{text-align:right}td.number,thead th.number{white-space:nowrap}details thead th.number{white-space:normal}td.words{min-width:15rem}
.from{border-left:1px solid var(--rule)}
.tip{position:absolute;z-index:2;pointer-events:none;background:var(--card);border:1px solid var(--rule);border-radius:.5rem;box-shadow:0 4px 18px #0003;padding:.5rem .7rem;font-size:.8125rem;line-height:1.45;max-width:min(20rem,75%)}
.tip table{font-size:inherit}.tip th,.tip td{border:0;padding:.05rem .35rem .05rem 0;white-space:nowrap}
.tip th{max-width:11rem;overflow:hidden;text-overflow:ellipsis;font-weight:400}
.tip svg{width:28px;height:12px;display:inline-block;vertical-align:-1px;overflow:visible}
.tip b{display:block;font-weight:600;margin-bottom:.15rem}
footer{color:var(--soft);font-size:.875rem;padding-top:2rem;padding-bottom:4rem}
${plotRules}
${shareBarStyle}
.importance{print-color-adjust:exact}
@media screen and (min-width:60rem){
.broad{margin-right:calc(-1 * clamp(0rem,(100vw - 53.5rem) / 2 - 1.5rem,34rem))}
}
@media screen and (max-width:40rem){
body{font-size:1rem}header{padding-top:1.5rem}main,header,footer{padding-left:.9rem;padding-right:.9rem}
svg.wide{display:none}svg.narrow{display:block}
.plot{padding:.4rem;margin-left:-.4rem;margin-right:-.4rem}
h2{margin-top:2.5rem}
.tip{position:static;max-width:none;margin:.5rem 0 0;box-shadow:none}
dl{grid-template-columns:1fr;gap:0;padding:.8rem 1rem}dd{margin-bottom:.4rem}
tbody th{white-space:normal;min-width:7.5rem}td.words,tbody th.words{min-width:11rem}th,td{padding:.35rem .5rem}
}
@media print{
:root{color-scheme:light;${light}}
body{font-size:10.5pt;line-height:1.45}main,header,footer{max-width:none;padding-left:0;padding-right:0}
header{padding-top:0}nav,.more,.tip{display:none}
.plot{border:0;padding:0}figure,.table,dl{break-inside:avoid}h2,h3{break-after:avoid}
.scroll{overflow:visible}table{font-size:9pt}a{color:inherit;text-decoration:none}
h2{margin-top:1.5rem}figure,.table{margin:1rem 0 1.5rem}
}
`

/** The style of a standalone picture; it has its own background. */
export const pictureStyle = `
svg{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){svg{${dark}}}
.ground{fill:var(--card);stroke:var(--rule)}
${plotRules}`
