import type { Target } from '@callsign/core';
import { labelTool } from '@callsign/effects';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createLabelWarnings } from './label-warnings.js';

function target(name: string, annotations: object, more: Partial<Target> = {}): Target {
  return {
    kind: 'tool',
    ref: { server: 's', tool: name },
    canonical: `s:${name}`,
    displayName: 'S',
    item: { name, json: '{}' },
    ...labelTool({ name, annotations }),
    ...more,
  };
}

describe('warnings about labels', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are logged once for a label, and again if the label was right in between', () => {
    const logged: string[] = [];
    const warnings = createLabelWarnings((level, text) => logged.push(`${level}: ${text}`));
    const look = (seen: Target): void => {
      warnings.look(seen);
      vi.runAllTimers();
    };
    const contradicted = target('delete_all', { readOnlyHint: true });
    const warning =
      'warning: s:delete_all counts as destructive: the server says read-only, but the name says delete. ' +
      'To review it: callsign labels review s';
    look(contradicted);
    look(contradicted);
    expect(logged).toEqual([warning]);
    look(target('delete_all', { readOnlyHint: false }));
    look(contradicted);
    expect(logged).toEqual([warning, warning]);
  });

  it('name accepted labels that have lapsed, and nothing else', () => {
    const logged: string[] = [];
    const { look } = createLabelWarnings((_, message) => logged.push(message));
    look(target('list_users', {}));
    look(target('thing', {}));
    vi.runAllTimers();
    expect(logged).toEqual([]);
    look(target('list_users', {}, { hasLapsed: true }));
    vi.runAllTimers();
    expect(logged).toEqual([
      'The accepted label of s:list_users has expired, because its definition has changed. ' +
        'To review it: callsign labels review s',
    ]);
  });

  it('are not computed while servers start, nor after the gateway has stopped', () => {
    const logged: string[] = [];
    const { look, close } = createLabelWarnings((_, message) => logged.push(message));
    look(target('delete_all', { readOnlyHint: true }));
    expect(logged).toEqual([]);
    close();
    vi.runAllTimers();
    expect(logged).toEqual([]);
  });
});
