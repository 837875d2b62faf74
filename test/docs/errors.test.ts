/** Compares the page of errors with the table of codes and the JSON-RPC numbers. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CALLSIGN_ERRORS, CallsignError, type CallsignErrorCode } from '@callsign/core';
import { malformedName, missingPrefix, toolNotFound } from '@callsign/naming';
import { describe, expect, it } from 'vitest';

import { replyOf } from '../../packages/wire/src/rpc/message/rpc-error.js';
import { ROOT } from '../architecture/tree.js';

const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
const section = (title: string) => page.split(/^## /m).find((text) => text.startsWith(title)) ?? '';

/** The rows of the table below a heading, without its first two lines, cell by cell. */
const rows = (title: string) =>
  section(title)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '));

describe('docs/errors.md', () => {
  const documented = new Map(
    rows('Codes').map(([code = '', ...cells]) => [code.replaceAll('`', ''), cells]),
  );
  const codes = Object.keys(CALLSIGN_ERRORS) as CallsignErrorCode[];

  it('documents no removed code', () => {
    const known = new Set<string>(codes);
    expect([...documented.keys()].filter((code) => !known.has(code))).toEqual([]);
  });

  it('documents every code once', () => {
    expect(codes.filter((code) => !documented.has(code))).toEqual([]);
    expect(rows('Codes')).toHaveLength(codes.length);
  });

  it.each(codes)('has the message of %s, and what to do', (code) => {
    const [number, message, when, advice, ...rest] = documented.get(code)!;
    const sent = JSON.parse(replyOf(new CallsignError(code)).json) as {
      code: number;
      data: object;
    };
    expect(number).toBe(String(sent.code));
    expect(message).toBe(CALLSIGN_ERRORS[code]);
    expect(sent.data).toEqual({ code });
    for (const text of [when, advice]) expect(text).toMatch(/^[A-Z].*\.$/);
    expect(rest).toEqual([]);
  });

  it('has the three sentences about names', () => {
    const sentences = [missingPrefix, malformedName, toolNotFound].map((of) => of('X').message);
    expect(rows('Names').map(([sentence]) => sentence)).toEqual(sentences.map((s) => `\`${s}\``));
    const { message } = toolNotFound('filesytem:read_file', ['filesystem:read_file']);
    expect(section('Names')).toContain(`\n${message}\n`);
  });

  it('distinguishes three kinds of failure', () => {
    expect(rows('Three kinds')).toHaveLength(3);
  });

  it('shows an error as it is sent', () => {
    const example = /```json\n([^`]+)```/.exec(section('Three kinds'))![1]!;
    const { data } = JSON.parse(example) as { data: { code: CallsignErrorCode } };
    const { code, ...details } = data;
    expect(JSON.parse(replyOf(new CallsignError(code, details)).json)).toEqual(JSON.parse(example));
  });
});
