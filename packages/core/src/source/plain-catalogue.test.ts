import { describe, expect, it } from 'vitest';

import type { Source } from './source.js';
import { catalogueOf } from './catalogue.js';
import { hub } from '../hub/hub.js';
import { skillItem } from '../../../../test/testing/skill-item.js';
import { fakeSource } from '../testing/fake-source.js';

describe('the catalogue of a single source', () => {
  it('has entries without a key, the first of equal names', () => {
    const { source } = fakeSource({ tools: ['a', 'a', 'b'] });
    const catalogue = catalogueOf(source);
    expect(catalogue.byServer('tool').map((list) => list.map((each) => each.canonical))).toEqual([
      ['a', 'b'],
    ]);
    expect(catalogue.entry('tool', 'b')).toMatchObject({
      ref: { server: '', tool: 'b' },
      displayName: '',
      kind: 'tool',
    });
    expect(catalogue.entry('tool', 'c')).toBeUndefined();
    expect(catalogue.entry('prompt', 'a')).toBeUndefined();
    expect(catalogue.admits('tool', { server: '', tool: 'a' })).toBe(true);
  });

  it('has the same lists until the source has others', () => {
    const fake = fakeSource({ tools: ['a'], prompts: ['p'] });
    const catalogue = catalogueOf(fake.source);
    const [tools, prompts] = [catalogue.byServer('tool'), catalogue.byServer('prompt')];
    expect(catalogue.byServer('tool')).toBe(tools);
    fake.offers({ tools: ['b'] });
    expect(catalogue.byServer('tool')).not.toBe(tools);
    expect(catalogue.byServer('prompt')).toBe(prompts);
  });

  it('leaves out items without a route', () => {
    const { source } = fakeSource({ tools: ['a'] });
    const catalogue = catalogueOf({ ...source, offer: source.offer, route: () => undefined });
    expect(catalogue.byServer('tool')).toEqual([[]]);
  });

  it('has the skills of the source, and the same list until they change', () => {
    const skill = skillItem('{"uri":"skill://a/SKILL.md"}');
    let skills = [skill];
    const { source } = fakeSource();
    const given: Source = {
      ...source,
      offer: source.offer,
      get skills() {
        return skills;
      },
    };
    const catalogue = catalogueOf(given);
    const before = catalogue.serverSkills;
    expect(before).toEqual([{ server: '', skill }]);
    expect(catalogue.serverSkills).toBe(before);
    skills = [];
    expect(catalogue.serverSkills).toEqual([]);
    expect(catalogueOf(source).serverSkills).toEqual([]);
  });

  it('has the instructions and the capabilities of the source', () => {
    const { source } = fakeSource({ instructions: 'Be kind.', abilities: ['logging'] });
    const catalogue = catalogueOf(source);
    expect(catalogue.serverInstructions).toEqual([{ server: '', text: 'Be kind.' }]);
    expect(catalogueOf(fakeSource().source).serverInstructions).toEqual([]);
    expect(catalogue.abilities).toEqual(new Set(['logging']));
    expect(catalogue.abilitiesOf((key) => key === '')).toEqual(new Set(['logging']));
    expect(catalogue.abilitiesOf((key) => key !== '')).toEqual(new Set());
  });

  it('finds pages: those that are listed, and those that the source reads', () => {
    const { source } = fakeSource({ resources: ['ui://a'] });
    const catalogue = catalogueOf(source);
    expect(catalogue.page!('', 'ui://a')).toBe(catalogue.entry('resource', 'ui://a'));
    expect(catalogue.page!('', 'ui://b')).toBeUndefined();
    const route: Source['route'] = () => ({ send: () => Promise.reject(new Error('not sent')) });
    const page = catalogueOf({ ...source, offer: source.offer, route }).page!('', 'ui://b');
    expect(page).toMatchObject({ canonical: 'ui://b', kind: 'resource', displayName: '' });
  });

  it('is the source’s own if it has one', () => {
    const own = hub({});
    expect(catalogueOf(own)).toBe(own);
  });
});
