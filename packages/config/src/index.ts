/**
 * Reading, checking and editing configuration files: problems with places, and files that are safe
 * to replace.
 */

export { fileProblem, formatProblems, pathText } from './document/problem.js';
export type { Problem } from './document/problem.js';
export type { ConfigProblemCode } from './document/config-problem.js';
export { stateFolder } from './files/state-folder.js';
export { homeIn, type Home } from './files/home.js';
export { watchConfig } from './files/watch-file.js';
export type { ConfigWatch } from './files/watch-file.js';
export {
  KIB,
  LONGEST_TIMER_MS,
  MIB,
  count,
  milliseconds,
  text,
  textMap,
  texts,
} from './fields/setting-fields.js';
export type { SettingOf } from './fields/setting-fields.js';
export { memberOf, membersOf } from './document/json-node.js';
export type { Member } from './document/json-node.js';
export { positionsIn } from './document/problem-list.js';
export type { Positions } from './document/problem-list.js';
export { createProblemLog } from './document/problem-log.js';
export type { ProblemLog } from './document/problem-log.js';
export { parseDocument } from './document/json-document.js';
export { didYouMean, nearestWord } from './document/nearest-word.js';
export { checkValue } from './document/check-value.js';
export { WITHOUT_COMPILING } from './document/schema-problems.js';
export { exclusively, whileEditing } from './files/exclusive-file.js';
export { hasRestartedSince, mayRun } from './files/running-process.js';
export type { ProcessMark } from './files/running-process.js';
export { folderFault, writeAdvice } from './files/folder-fault.js';
export { makeFolder } from './files/make-folder.js';
export {
  checkSocketFolder,
  isListening,
  pipePrefix,
  prepareSocketFolder,
  socketFolder,
  socketPath,
} from './files/socket-folder.js';
export { NotAFile, readPlainFile, readPlainFileSync, utf8Text } from './files/plain-file.js';
export { replaceFile } from './files/replace-file.js';
export type { ReplaceOptions } from './files/replace-file.js';
export {
  readJson,
  withElement,
  withoutElement,
  withoutValue,
  withValue,
} from './document/json-edit.js';
export { isRecord, summaryOf } from './document/written-entry.js';
export type { WrittenEntry } from './document/written-entry.js';
export { isSwitchedOn, toolListsOf, withoutToolLists } from './document/tool-lists.js';
export type { ToolLists } from './document/tool-lists.js';
export { shellWord } from './document/shell-word.js';
export { secretArgs, shownAddress, shownEntry, shownUrl } from './document/hidden-secrets.js';
export { shownSetting, shownValue, startOf } from './document/hidden-secrets.js';
export { expandVariables, isFilledIn, literalText, secretsIn } from './document/variables.js';
export type { Environment, Secret, Secrets, VariableFault } from './document/variables.js';
export { ENTRY_SECTIONS, placedEntries, withEntry, withSwitch } from './document/server-entries.js';
export type { PlacedEntry } from './document/server-entries.js';
export { isListedOff, withListed, withoutListed } from './document/server-lists.js';
export { renameServer } from './document/rename-server.js';
