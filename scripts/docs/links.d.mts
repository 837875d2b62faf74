export function siteFile(path: string): string;

export interface Links {
  resolve(
    page: string,
    link: string,
  ): { readonly href?: string; readonly page?: string; readonly path?: string };
  readonly files: ReadonlySet<string>;
  readonly problems: readonly string[];
}

export function createLinks(options: {
  readonly root: string;
  readonly pages: ReadonlySet<string>;
  readonly folders?: Readonly<Record<string, string>>;
  readonly repository?: string;
}): Links;
