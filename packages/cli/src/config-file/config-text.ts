export {
  configFailure,
  documentIn,
  entriesIn,
  requireConfig,
  requireEntry,
  requireText,
  saveText,
  startsOf,
  unknownServer,
  withServer,
  writeConfig,
} from '@callsign/command';
