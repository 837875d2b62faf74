import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { pageOf } from '../../scripts/search/page.mjs';
import {
  askAll,
  askOneServer,
  readQuestions,
  readTools,
  share,
} from '../../scripts/search/questions.mjs';

const questions = readQuestions();
const tools = readTools();

describe('questions over the tools of real servers', () => {
  it('name tools that exist, in many servers', () => {
    const known = new Set(tools.map(({ server, name }) => `${server}:${name}`));
    const named = questions.flatMap((question) => question.tools);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(questions.length).toBeGreaterThanOrEqual(100);
    expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length);
    expect(new Set(named.map((name) => name.split(':', 1)[0])).size).toBeGreaterThanOrEqual(30);
  });

  it('D7: find the right tool in the first five, over all servers and over one', () => {
    expect(share(askAll(questions, tools), 5)).toBeGreaterThanOrEqual(0.9);
    expect(share(askOneServer(questions, tools), 5)).toBeGreaterThanOrEqual(0.9);
  });

  it.each(['send sms', 'list recent calls'])('D7: %s finds a tool that does it', (text) => {
    const [answer] = askAll(
      questions.filter((question) => question.text === text),
      tools,
    );
    expect(answer!.place).toBeGreaterThanOrEqual(1);
    expect(answer!.place).toBeLessThanOrEqual(5);
  });

  it('are answered as docs/search.md says; npm run search writes it', () => {
    const page = readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8');
    expect(pageOf(questions, tools)).toBe(page);
  });
});
