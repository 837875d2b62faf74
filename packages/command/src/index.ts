export type {
  CommandEntry,
  CommandModule,
  Context,
  Input,
  LoadedEntry,
} from './command/command.js';
export { userConfig } from './command/config-path.js';
export type { ConfigOrigin, ConfigPlace } from './command/config-path.js';
export { EXIT } from './command/exit-code.js';
export {
  Failure,
  fileComplaint,
  interruption,
  storageFailure,
  usageFailure,
} from './command/failure.js';
export { copyable } from './command/copyable.js';
export { countOf } from './command/count-flag.js';
export { unknownCommand, withActionHint } from './command/unknown-command.js';
export { createStderr, writeLine } from './command/stderr.js';
export type { Complaint, Stderr, StderrOptions } from './command/stderr.js';
export { notAccepted, requireConsent } from './config-file/config-consent.js';
export {
  configFailure,
  documentIn,
  editConfig,
  entriesIn,
  noConfig,
  requireEntry,
  requireText,
  unknownServer,
  withServer,
  writeConfig,
} from './config-file/config-text.js';
export { entryStarts, startsIn } from './config-file/config-starts.js';
export { requireConfig } from './config-file/required-config.js';
export { requireStorage, storageOf } from './config-file/shared-storage.js';
export { configKeys } from './config-file/config-keys.js';
export { newConfigText, writeSchema } from './config-file/new-config.js';
export { interruptible } from './command/interruptible.js';
export { withProgress } from './command/with-progress.js';
