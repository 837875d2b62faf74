import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { pageOf } from '../../scripts/search/page.mjs';
import { ask, askOneServer, readRounds, share } from '../../scripts/search/questions.mjs';

const rounds = readRounds();
const [first] = rounds;
const asked = rounds.map(ask);
const answers = asked.slice(1, 5).flat();
/** Their misses were never read. */
const fresh = asked.slice(5, 7).flat();
/** In the words of a person who did not know the search. */
const byOthers = asked[8]!.filter(({ isHeldOut }) => isHeldOut);
/** What a model searched for. */
const byModel = asked.slice(9, 11).flat();

describe('questions over the tools of real servers and APIs', () => {
  it.each(rounds)('of the $title name tools that exist', ({ questions, tools }) => {
    const known = new Set(tools.map(({ server, name }) => `${server}:${name}`));
    const named = questions.flatMap((question) => question.tools);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length);
  });

  it('are many, about many servers', () => {
    const named = answers.flatMap(({ tools }) => tools);
    expect(answers.length).toBeGreaterThanOrEqual(150);
    expect(new Set(named.map((name) => name.split(':', 1)[0])).size).toBeGreaterThanOrEqual(60);
  });

  it('B11: find the right tool in the first five', () => {
    expect(share(answers, 5)).toBeGreaterThanOrEqual(0.92);
  });

  it('B11: find the right tool at the first try of a model', () => {
    expect(byModel.length).toBeGreaterThanOrEqual(150);
    expect(share(byModel, 5)).toBeGreaterThanOrEqual(0.92);
  });

  it('B11: find the right tool of unknown servers and APIs as often as docs/search.md says', () => {
    expect(fresh.length).toBeGreaterThanOrEqual(60);
    expect(share(fresh, 5)).toBeGreaterThanOrEqual(0.86);
  });

  it('B11: find the right tool for questions in the words of others as often as docs/search.md says', () => {
    expect(byOthers.length).toBeGreaterThanOrEqual(40);
    expect(share(byOthers, 5)).toBeGreaterThanOrEqual(0.62);
  });

  it('D7: find the right tool in the first five, over all servers and over one', () => {
    expect(share(asked[0]!, 5)).toBeGreaterThanOrEqual(0.92);
    expect(share(askOneServer(first!), 5)).toBeGreaterThanOrEqual(0.92);
  });

  it.each(['latest release', 'delete a branch', 'open pull requests', 'send sms'])(
    'B11: %s finds a tool that does it',
    (text) => {
      const { place } = asked.flat().find((answer) => answer.text === text)!;
      expect(place).toBeGreaterThanOrEqual(1);
      expect(place).toBeLessThanOrEqual(5);
    },
  );

  it('are answered as docs/search.md says; npm run search writes it', () => {
    const page = readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8');
    expect(pageOf(rounds)).toBe(page);
  });
});
