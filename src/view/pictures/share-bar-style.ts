/**
 * The style of bars of importance, in reports and on the dashboard. The page defines the colours: --held, --robots, --failed,
 * --scope, --waiting, --waiting-line, --outside, --card, --tint, --soft. The parts also differ in lightness and pattern, for people
 * who cannot distinguish the hues.
 */
export const shareBarStyle = `
.importance{display:grid;gap:0.6rem}
.bars{display:flex;gap:8px}
.bar{display:flex;gap:2px;flex:1 1 0;block-size:clamp(1.9rem,1.6rem + 0.8vw,2.75rem);border-radius:6px;overflow:clip;background:var(--tint);min-width:0}
.bar.outside{min-inline-size:10px;background:none}
.segment{flex:1 1 0;min-inline-size:3px;transition:flex-grow 0.5s}
.bar.outside .segment{border-radius:6px}
ul.legend{margin:0;display:flex;flex-wrap:wrap;gap:0.3rem 1.4rem;padding:0;list-style:none;font-size:0.875rem}
ul.legend li{display:inline-flex;align-items:center;gap:0.45rem}
ul.legend .name{color:var(--soft)}
.swatch{inline-size:0.85rem;block-size:0.85rem;border-radius:3px;flex:none}
.small-bar{display:flex;inline-size:100%;min-inline-size:4.5rem;block-size:0.6rem;border-radius:3px;overflow:clip;background:var(--tint)}
.small-bar .segment{min-inline-size:0}
.is-held{background:var(--held)}
.is-moving{background:repeating-linear-gradient(90deg,var(--waiting-line) 0 4px,var(--waiting) 4px 8px)}
.is-robots{background:repeating-linear-gradient(45deg,var(--robots) 0 5px,color-mix(in srgb,var(--robots) 65%,var(--card)) 5px 8px)}
.is-failed{background:repeating-linear-gradient(-45deg,var(--failed) 0 5px,color-mix(in srgb,var(--failed) 65%,var(--card)) 5px 8px)}
.is-scope{background:repeating-linear-gradient(90deg,var(--scope) 0 3px,color-mix(in srgb,var(--scope) 60%,var(--card)) 3px 6px)}
.is-waiting,.is-rest{background:var(--waiting)}
.is-outside{background:repeating-linear-gradient(45deg,transparent 0 5px,color-mix(in srgb,var(--outside) 50%,transparent) 5px 6px);box-shadow:inset 0 0 0 1.5px var(--outside)}
`
