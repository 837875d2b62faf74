/** JSON-RPC messages as text, and channels that carry them. HTTP is in `@callsign/wire/rpc/http`. */

export {
  LISTS,
  META,
  NAMED_IN_HEADER,
  NEWEST_SESSION,
  NEWEST_STATELESS,
  SESSION_VERSIONS,
  STATELESS_VERSIONS,
  UNWATCH_TASK,
  WATCH_TASK,
  isStatelessVersion,
} from './message/protocol.js';
export type { Implementation, List } from './message/protocol.js';
export { readMessage, stringAt } from './message/message.js';
export type { Message } from './message/message.js';
export { longEnds, MessageOrder } from './message/message-order.js';
export { sameText } from './message/same-text.js';
export { unreadable } from './message/unreadable.js';
export { keepListening } from './message/resumable-stream.js';
export type { ListeningConnection } from './message/resumable-stream.js';
export { DEFAULT_RESTART, Failures, restartDelay } from './stream/backoff.js';
export type { RestartPolicy } from './stream/backoff.js';
export { ownId } from './stream/own-id.js';
export {
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  PARSE_ERROR,
  UNSUPPORTED_VERSION,
  UPSTREAM_ERROR,
  errorJson,
  errorReply,
  nameReply,
  reasonOf,
  replyIn,
  failedReply,
  replyOf,
} from './message/rpc-error.js';
export {
  cancelledParams,
  errorText,
  listText,
  notificationText,
  replyText,
  requestText,
  resultText,
} from './message/rpc-text.js';
export { LongText, around } from './stream/long-text.js';
export type { Text } from './stream/long-text.js';
export { oneLine } from './stream/line-writer.js';
export { listenOn } from './stream/listen-on.js';
export { completeResult } from './message/complete-result.js';
export { decodeHeader } from './message/header-text.js';
export { headerText, paramHeaders } from './message/param-headers.js';
export { inSlices } from './stream/in-slices.js';
export { requestId } from './stream/edge-id.js';
export { LineReader } from './stream/line-reader.js';
export type { LongLine } from './stream/line-reader.js';
export { LineWriter } from './stream/line-writer.js';
export type { Channel, ChannelEvents, OpenChannel, Outgoing } from './stream/channel.js';
export type { StreamEvent } from './stream/event-stream.js';

// Servers as child processes.
export { openChild } from './child/child-channel.js';
export type { ChildOptions } from './child/child-channel.js';
export { ChildGroups, GROUP_SPAWN_OPTIONS, signalGroup } from './child/process-group.js';
