/** Creates a call inside a call: of another tool, for the same caller. */

import { Call, CallContext, membersOf } from '@callsign/core';

/** `argumentsJson` is used unchanged. Cancellation is not passed on: the sender must do that. */
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
  return new Call({
    method: outer.method,
    params,
    name,
    nameStart,
    nameEnd,
    tokenStart: token ? metaStart + token.start : -1,
    tokenEnd: token ? metaStart + token.end : -1,
    caller: outer.caller,
    context: new InnerContext(outer.context),
  });
}

/**
 * Passes messages of the server to the outer call. Decisions and cancellation belong to the inner
 * call.
 */
class InnerContext extends CallContext {
  readonly #outer: CallContext;

  constructor(outer: CallContext) {
    super();
    this.#outer = outer;
    // A property, because its presence says whether the client can be asked.
    if (outer.onWaiting) this.onWaiting = (id) => outer.onWaiting!(id);
    this.mayBeTask = outer.mayBeTask;
    if (outer.onLasting) this.onLasting = (message) => outer.onLasting!(message);
    if (outer.ask) this.ask = (question) => outer.ask!(question);
  }

  override progress(params: string, tokenStart: number, tokenEnd: number): void {
    this.#outer.progress?.(params, tokenStart, tokenEnd);
  }

  override log(params: string): void {
    this.#outer.log?.(params);
  }
}
