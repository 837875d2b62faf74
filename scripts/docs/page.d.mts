import type { Links } from './links.mjs';

export interface SitePage {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  readonly headings: readonly { depth: number; anchor: string; text: string }[];
  readonly sections: readonly { anchor: string; heading: string; text: string }[];
  readonly html: string;
}

export function readPage(
  path: string,
  text: string,
  options: { readonly resolve: Links['resolve']; readonly titleOf: (path: string) => string },
): SitePage;
