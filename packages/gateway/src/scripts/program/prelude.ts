/**
 * The code that runs before every program, in the same engine. It is text, since the engine has no other code. The
 * program may replace every function of the engine: so these functions use only what they took before it started.
 */

/** Evaluates to a function of the host's functions that returns the functions for the host. */
export const PRELUDE = `(host, seed) => {
  'use strict';
  const { call, used, now, done, failed, print } = host;
  const { stringify, parse } = JSON;
  const { construct, defineProperty, deleteProperty } = Reflect;
  const { imul } = Math;
  const Text = String, Err = Error, Wrapper = Proxy, RealDate = Date, TypeErr = TypeError;
  const global = globalThis;

  // Real time and the garbage collector would make two runs differ.
  for (const name of ['performance', 'WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics'])
    deleteProperty(global, name);
  const constant = (of, name, value) =>
    defineProperty(of, name, { value, writable: false, configurable: false, enumerable: false });

  const ClockDate = new Wrapper(RealDate, {
    construct: (of, given, as) => construct(of, given.length === 0 ? [now()] : given, as),
    apply: () => Text(construct(RealDate, [now()])),
  });
  constant(RealDate, 'now', () => now());
  defineProperty(RealDate.prototype, 'constructor', { value: ClockDate });
  defineProperty(global, 'Date', { value: ClockDate, writable: true, configurable: true });

  let state = seed | 0;
  constant(Math, 'random', () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = state ^ (state >>> 15);
    mixed = imul(mixed, state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  });

  const send = (tool, given) => {
    const json = given === undefined ? '{}' : stringify(given);
    if (json === undefined || json[0] !== '{')
      throw new TypeErr('the arguments of ' + tool + ' must be an object');
    return call(tool, json);
  };
  const hasName = (name) => typeof name === 'string' && name !== 'then' && name !== 'toJSON';
  const readOnly = { set: () => false, defineProperty: () => false, deleteProperty: () => false };
  const servers = new Wrapper({}, {
    ...readOnly,
    get: (_, server) => hasName(server)
      ? new Wrapper({}, {
          ...readOnly,
          get: (_, tool) =>
            hasName(tool) ? (given) => send(server + ':' + tool, given) : undefined,
        })
      : undefined,
  });
  constant(global, 'tools', servers);
  constant(global, 'call', (tool, given) => send(Text(tool), given));

  const shown = (value) => {
    if (typeof value === 'string') return value;
    try {
      const json = stringify(value);
      return json === undefined ? Text(value) : json;
    } catch {
      return 'a value that cannot be shown';
    }
  };
  const printed = (...values) => {
    let line = '';
    for (let i = 0; i < values.length; i++) line += (i === 0 ? '' : ' ') + shown(values[i]);
    print(line);
  };
  constant(global, 'console', {
    log: printed, info: printed, warn: printed, error: printed, debug: printed,
  });

  const stop = () => () => {
    used();
    throw new Err('This value is not known before the call is approved.');
  };
  const traps = {};
  for (const trap of ['apply', 'construct', 'defineProperty', 'deleteProperty',
    'getOwnPropertyDescriptor', 'getPrototypeOf', 'has', 'isExtensible', 'ownKeys',
    'preventExtensions', 'set', 'setPrototypeOf']) traps[trap] = stop();
  const use = stop();
  traps.get = (_, name) => (name === 'then' ? undefined : use());

  const textOf = (error) => {
    if (error === null || (typeof error !== 'object' && typeof error !== 'function'))
      return 'the program threw ' + shown(error);
    const { name, message, stack } = error;
    const where = typeof stack === 'string' ? /\\((program:\\d+)/.exec(stack) : null;
    const line = where ? ' (line ' + where[1].slice(8) + ')' : '';
    return (typeof name === 'string' ? name : 'Error') + ': ' + Text(message) + line;
  };
  return {
    value: (json) => parse(json),
    failure: (name, message) => {
      const error = new Err(message);
      defineProperty(error, 'name', { value: name, writable: true, configurable: true });
      return error;
    },
    placeholder: () => new Wrapper({}, traps),
    async main(body) {
      try {
        const json = stringify(await body());
        done(json === undefined ? 'null' : json);
      } catch (error) {
        let text = 'the program threw an error that cannot be shown';
        try { text = textOf(error); } catch {}
        failed(text);
      }
    },
  };
}`;
