import { describe, expect, it } from 'vitest';

import { failureText, outcomeOfThrown } from './failure.js';
import type { ToolCall } from './tool-interceptor.js';

const callWith = (signal: AbortSignal) =>
  ({ tool: { name: 'sail' }, context: { signal } }) as unknown as ToolCall;

describe('the message for an error', () => {
  it.each([
    [new Error('No wind.'), 'No wind.'],
    ['No wind.', 'No wind.'],
    [{ message: 'No wind.' }, 'No wind.'],
    [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new Error('fetch failed', { cause: new Error('no host') }), 'fetch failed: no host'],
    [new Error('fetch failed: no host', { cause: new Error('no host') }), 'fetch failed: no host'],
    [undefined, 'The tool failed and did not say why.'],
    [null, 'The tool failed and did not say why.'],
    [new Error(''), 'The tool failed and did not say why.'],
    [42, 'The tool failed and did not say why.'],
  ])('%s', (error, expected) => {
    expect(failureText(error)).toBe(expected);
  });

  it('survives an error that cannot be read', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    expect(failureText(hostile)).toBe('The tool failed and did not say why.');
  });

  it('stays short, and cuts no secret in half before it is found', () => {
    const long = failureText(new Error(`${'x '.repeat(995)}token=${'s'.repeat(5000)}`));
    expect(long.length).toBeLessThanOrEqual(2001);
    expect(long).not.toContain('sss');
  });

  it('contains no stack', () => {
    const { result } = outcomeOfThrown(
      new Error('No wind.'),
      callWith(new AbortController().signal),
    );
    expect(JSON.stringify(result)).not.toContain('failure.test');
  });
});

it('an error after a cancellation is the cancellation', () => {
  expect(outcomeOfThrown(new Error('aborted'), callWith(AbortSignal.abort()))).toEqual({
    status: 'cancelled',
    result: { content: [{ type: 'text', text: 'sail was cancelled by client.' }], isError: true },
  });
});

it('an error that sends the user to an address is passed to the SDK', () => {
  const question = Object.assign(new Error('Sign in first.'), { code: -32_042 });
  const live = callWith(new AbortController().signal);
  expect(() => outcomeOfThrown(question, live)).toThrow(question);
});
