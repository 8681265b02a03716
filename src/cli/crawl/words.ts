/** Formats of quantities, shared with the dashboard. */
export {
  agreeing,
  bytesText,
  durationText,
  errorCount,
  errorsText,
  percentText,
  plural,
  rateText,
  shellWord,
} from '../../crawler/read/words.ts'
