export {
  configFailure,
  documentIn,
  entriesIn,
  requireConfig,
  requireEntry,
  requireText,
  saveText,
  startsOf,
  withServer,
  writeConfig,
} from '@callsign/command';
