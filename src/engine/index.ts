/** `rankward/engine`: the engine with its strategies and frontiers, for a world of one's own. */
export { Engine } from './engine.ts'
export type { EngineOptions, PageNames, StopReason } from './engine-options.ts'
export { crawl } from './loop.ts'
export { failureCauses, noSite } from './world.ts'
export type { FailureCause, World, WorldListener } from './world.ts'
export type { Reading } from './reading.ts'

export { strategies, strategyNames, strategyOf } from './strategies/index.ts'
export type { StrategyEntry, StrategyName, StrategySetting, StrategySpec } from './strategies/index.ts'
export type { Strategy, StrategyServices } from './strategy.ts'
export type { KnownLinks } from './known-links.ts'
export type { StateCodec } from '../lib/state.ts'

export { frontierOf, frontiers } from './frontiers/index.ts'
export type { FrontierEntry, FrontierName, FrontierOptions } from './frontiers/index.ts'
export type { Frontier } from './frontier.ts'

export { backOffSeconds, gapSeconds, retryAfterSeconds } from './politeness.ts'
export type { BackOff, GapOptions } from './politeness.ts'

export { changeEstimate, type ChangeEstimate, type EstimatorName, type Look } from './recrawl/estimators.ts'
export { optimalRates, type OptimalRates, type OptimalRatesOptions } from './recrawl/optimal-rates.ts'
export { crawlValue, type ValueOptions } from './recrawl/value.ts'
export { RankwardError, type ErrorCode } from '../lib/errors.ts'
