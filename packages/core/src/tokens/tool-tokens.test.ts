import { readdirSync, readFileSync } from 'node:fs';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';

import { estimateTokens, tokensOfLength } from './estimate-tokens.js';
import { listTokens, toolTokens } from './tool-tokens.js';

const SERVERS = new URL('../../../../test/recordings/servers/', import.meta.url);

/** The tools of every fifth recorded server: counting all of them takes long. */
function recordedTools(): object[] {
  const files = readdirSync(SERVERS).filter((_, i) => i % 5 === 0);
  return files.flatMap((file) => {
    const text = readFileSync(new URL(file, SERVERS), 'utf8');
    return (JSON.parse(text) as { tools: object[] }).tools;
  });
}

const itemOf = (tool: object) => ({ name: 'x', json: JSON.stringify(tool) });

describe('the estimated tokens', () => {
  it.each(['x', '7', '漢', '-', 'ж'])('of ten million times %j are counted', (character) => {
    const tokens = estimateTokens(character.repeat(10_000_000));
    expect(tokens).toBeGreaterThan(1_000_000);
  });

  it('of real tools are close to those of a tokenizer', () => {
    let [counted, estimated] = [0, 0];
    const errors: number[] = [];
    for (const tool of recordedTools()) {
      const { name, description, inputSchema } = tool as Record<string, unknown>;
      const real = countTokens(JSON.stringify({ name, description, inputSchema }));
      const guess = toolTokens(itemOf(tool));
      [counted, estimated] = [counted + real, estimated + guess];
      errors.push(Math.abs(guess / real - 1));
    }
    expect(Math.abs(estimated / counted - 1)).toBeLessThan(0.05);
    const sorted = errors.toSorted((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(0.07);
    expect(sorted[Math.floor(sorted.length * 0.95)]).toBeLessThan(0.2);
  });

  it('count what a model reads, not titles and labels', () => {
    const tool = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };
    const more = { ...tool, title: 'A long title', annotations: { readOnlyHint: true } };
    expect(toolTokens(itemOf(more))).toBe(toolTokens(itemOf(tool)));
    expect(listTokens([itemOf(tool), itemOf(more)])).toBe(2 * toolTokens(itemOf(tool)));
  });

  it.each([
    ['', 0],
    [' \n', 0],
    ['read', 1],
    ['readFile', 2],
    ['1234567', 3],
    ['读取文件', 3],
  ])('of %j are %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it('of hostile definitions are finite and quickly counted', () => {
    for (const json of ['{}', '{"name":7,"description":null}', `{"name":"${'aB'.repeat(1e5)}"}`]) {
      expect(toolTokens({ name: 'x', json })).toBeGreaterThan(0);
    }
  });

  it('of a length are a quarter of it', () => {
    expect([0, 1, 4, 5].map(tokensOfLength)).toEqual([0, 1, 1, 2]);
  });
});
