import { describe, expect, it } from 'vitest';

import { createToolNamer, TOOL_PREFIX } from './tool-name.js';

const nameOf = createToolNamer(TOOL_PREFIX);

describe('a tool’s full name', () => {
  it('is the prefix and the short name', () => {
    expect(nameOf('list_organization_members')).toBe('lightdash_tools__list_organization_members');
  });

  it('may have no prefix', () => {
    expect(createToolNamer('')('list_charts')).toBe('list_charts');
  });

  it.each([
    ['', /it is empty\. Give a short name/],
    ['lightdash_tools__list_charts', /already has the prefix\. Register it as "list_charts"/],
    ['list charts', /letters, digits and underscores only/],
    ['list-charts', /letters, digits and underscores only/],
    ['list:charts', /letters, digits and underscores only/],
    ['listé', /letters, digits and underscores only/],
    ['list\u200Bcharts', /letters, digits and underscores only/],
    ['a'.repeat(33), /has 50 characters; the strictest client allows 49/],
  ])('cannot be made of %j', (shortName, reason) => {
    expect(() => nameOf(shortName)).toThrow(reason);
  });

  it('is cut and quoted without its line breaks when it is refused', () => {
    const thrown = () => nameOf(`\n${'x'.repeat(100_000)}`);
    expect(thrown).toThrow(/^The tool name "\\nx{79}…" cannot be used/);
  });

  it('is at most as long as the strictest client allows', () => {
    expect(nameOf('a'.repeat(32))).toHaveLength(49);
  });
});

describe('a prefix', () => {
  it.each([
    ['acme:', /letters, digits and underscores only/],
    ['9acme_', /Begin with a letter/],
    ['a'.repeat(50), /allows 49/],
    ['{tool}', /letters, digits and underscores only/],
  ])('%j is refused before any tool is registered', (prefix, reason) => {
    expect(() => createToolNamer(prefix)).toThrow(reason);
  });
});
