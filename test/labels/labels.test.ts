import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { readCorpus } from '../../scripts/labels/corpus.mjs';
import { disputedReads, measure } from '../../scripts/labels/measure.mjs';
import { pageOf } from '../../scripts/labels/page.mjs';

const corpus = readCorpus();
const heldOut = corpus.filter(({ isHeldOut }) => isHeldOut);
const share = ({ part, whole }: { part: number; whole: number }): number => part / whole;

describe('labels of real servers', () => {
  it('are measured with enough servers, a third of them set aside', () => {
    expect(measure(corpus).servers).toBeGreaterThanOrEqual(30);
    const byHand = corpus.filter(({ claimed, hand }) => claimed === undefined && hand);
    expect(byHand.length).toBeGreaterThanOrEqual(200);
    expect(heldOut.length).toBeGreaterThan(100);
  });

  it('are known for every tool, by hand where the server is silent', () => {
    const unknown = corpus.filter(({ truth }) => truth === undefined);
    expect(unknown.map(({ server, tool }) => `${server}:${tool.name}`)).toEqual([]);
  });

  it('are right where they are inferred, on servers that were set aside', () => {
    const { rightReads, foundReads } = measure(heldOut);
    expect(share(rightReads)).toBeGreaterThanOrEqual(0.97);
    expect(share(foundReads)).toBeGreaterThanOrEqual(0.8);
  });

  it('are right where they are inferred, on all servers', () => {
    const { rightReads, foundReads } = measure(corpus);
    expect(share(rightReads)).toBeGreaterThanOrEqual(0.97);
    expect(share(foundReads)).toBeGreaterThanOrEqual(0.8);
  });

  it('agree with the hints that servers state', () => {
    for (const tools of [corpus, heldOut]) {
      const { agreedHints, agreedRisks } = measure(tools);
      expect(share(agreedHints)).toBeGreaterThanOrEqual(0.97);
      expect(share(agreedRisks)).toBeGreaterThanOrEqual(0.97);
    }
  });

  it('have a written verdict wherever a read is disputed', () => {
    const open = disputedReads(corpus).filter(({ reason }) => reason === undefined);
    expect(open.map(({ server, tool }) => `${server}:${tool.name}`)).toEqual([]);
  });

  it('are as docs/labels.md says; npm run labels writes it', () => {
    const page = readFileSync(new URL('../../docs/labels.md', import.meta.url), 'utf8');
    expect(pageOf(corpus)).toBe(page);
  });
});
