/** A call within a call: another thing is called for the same caller, who hears, answers and may give up. */

import { Call, membersOf } from '@callsign/core';

/** `argumentsJson` goes into the new call as it stands. Whoever sends it passes a cancellation on. */
export function innerCall(outer: Call, name: string, argumentsJson: string): Call {
  const nameJson = JSON.stringify(name);
  const range = membersOf(outer.params)?.get('_meta');
  const meta = range && outer.params.slice(range.start, range.end);
  const nameStart = '{"name":'.length;
  const nameEnd = nameStart + nameJson.length;
  const head = `{"name":${nameJson},"arguments":${argumentsJson}`;
  const params = meta === undefined ? `${head}}` : `${head},"_meta":${meta}}`;
  const token = outer.wantsProgress && meta ? membersOf(meta)?.get('progressToken') : undefined;
  const metaStart = `${head},"_meta":`.length;
  const call = new Call({
    method: outer.method,
    params,
    name,
    nameStart,
    nameEnd,
    tokenStart: token ? metaStart + token.start : -1,
    tokenEnd: token ? metaStart + token.end : -1,
    caller: outer.caller,
  });
  // Looked up when needed: the wires of a call that is held between two requests are exchanged meanwhile.
  call.onProgress = (...progress) => outer.onProgress?.(...progress);
  call.onLog = (log) => outer.onLog?.(log);
  if (outer.ask) call.ask = (question) => outer.ask!(question);
  return call;
}
