import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { documentOf } from '../../../../test/adapters/adapters.js';
import { deskFor, type Envelope, send } from '../../../../test/adapters/desk.js';
import { startTarget } from '../../../../test/adapters/target.js';
import { parseAdapter } from '../adapter/parse-adapter.js';
import { createAdapterSource } from '../source/adapter-source.js';
import { fileName } from './saved-file.js';

const BYTES = Buffer.from([0xff, 0x00, 0x80]);

function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'callsign-downloads-')));
}

/** `get_file` of a real target that suggests this name, and the folder for saved answers. */
async function fileDesk(
  disposition: string | undefined,
  { downloads, type = 'application/pdf', bytes = BYTES, status = 200 }: FileDeskOptions = {},
) {
  const target = await startTarget((_, response) => {
    const named = disposition === undefined ? {} : { 'content-disposition': disposition };
    response.writeHead(status, { 'content-type': type, ...named }).end(bytes);
  });
  const folder = newFolder();
  const document = documentOf({
    target: { transport: 'http', base_url: target.origin, downloads: downloads ?? './saved' },
    operations: {
      read: [{ name: 'get_file', maps_to: 'GET /file', response: { format: 'binary' } }],
    },
  });
  const parsed = parseAdapter(JSON.stringify(document), join(folder, 'a.adapter.json'));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const source = createAdapterSource(parsed.adapter, { env: {} });
  const desk = deskFor(source);
  const ask = (): Promise<Envelope> => desk.ask('read', { operation: 'get_file', params: {} });
  return { ask, folder, source, tool: desk.tool('read'), saved: join(folder, 'saved') };
}

interface FileDeskOptions {
  readonly downloads?: string;
  readonly type?: string;
  readonly bytes?: Buffer;
  readonly status?: number;
}

const pathIn = ({ data }: Envelope): string => (data as { path: string }).path;

describe('A7: binary answers as saved files', () => {
  it('a file is in the folder, and the answer names it without its content', async () => {
    const { ask, saved, source, tool } = await fileDesk('attachment; filename="report 7.pdf"');
    const { data } = await ask();
    const path = join(saved, 'report 7.pdf');
    expect(data).toEqual({ content_type: 'application/pdf', size: 3, path });
    expect(readFileSync(path)).toEqual(BYTES);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { json } = await send(source, tool, { operation: 'get_file', params: {} });
    expect((JSON.parse(json) as { content: unknown[] }).content).toHaveLength(1);
    expect(json).not.toContain(BYTES.toString('base64'));
  });

  it('no file is replaced, and no link is followed', async () => {
    const { ask, folder } = await fileDesk('attachment; filename=a.pdf', { downloads: '.' });
    writeFileSync(join(folder, 'a.pdf'), 'mine');
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'a-2.pdf'));
    const paths = await Promise.all([ask(), ask(), ask()].map(async (each) => pathIn(await each)));
    expect(paths.map((path) => basename(path)).toSorted()).toEqual([
      'a-3.pdf',
      'a-4.pdf',
      'a-5.pdf',
    ]);
    expect(readFileSync(join(folder, 'a.pdf'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  it.each([
    'attachment; filename="../../../escaped.pdf"',
    'attachment; filename="..\\\\..\\\\escaped.pdf"',
    'attachment; filename="/etc/escaped.pdf"',
    "attachment; filename*=UTF-8''%2e%2e%2f%2e%2e%2fescaped.pdf",
    'attachment; filename=".."',
    'attachment; filename=".bashrc"',
    'attachment; filename=""',
    undefined,
  ])('the server cannot choose a path: %s', async (disposition) => {
    const { ask, folder, saved } = await fileDesk(disposition);
    const path = pathIn(await ask());
    expect(dirname(path)).toBe(saved);
    expect(basename(path)).toMatch(/^(?:escaped|get_file|bashrc)\.(?:pdf)$/);
    expect(readdirSync(folder)).toEqual(['saved']);
  });

  it('an answer may be larger than one for a model', async () => {
    const bytes = Buffer.alloc(11 * 1024 * 1024, 7);
    const { ask } = await fileDesk(undefined, { bytes });
    const answer = await ask();
    expect(answer).toMatchObject({ success: true, data: { size: bytes.length } });
    expect(statSync(pathIn(answer)).size).toBe(bytes.length);
  });

  it('a failure of the target saves nothing', async () => {
    const { ask, folder } = await fileDesk(undefined, { status: 404 });
    expect((await ask()).error?.code).toBe('NOT_FOUND_RESOURCE');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a folder that is a file is reported, without a local path', async () => {
    const { ask, folder } = await fileDesk(undefined, { downloads: './taken' });
    writeFileSync(join(folder, 'taken'), '');
    chmodSync(join(folder, 'taken'), 0o400);
    const { error } = await ask();
    expect(error?.message).toContain('cannot be saved');
    expect(error?.message).not.toContain(folder);
  });
});

describe('fileName', () => {
  const nameOf = (disposition: string, contentType = 'application/pdf'): string => {
    const { stem, ending } = fileName({ disposition, contentType, operation: 'get_file' });
    return `${stem}.${ending}`;
  };

  it.each([
    ["attachment; filename=plain.txt; filename*=UTF-8''%E5%A0%B1%E5%91%8A.pdf", '報告.pdf'],
    ["attachment; filename=plain.txt; filename*=UTF-8''%E5%A0.pdf", 'plain.txt'],
    ['attachment; filename="a\u0000b:c|d.pdf"', 'a_b_c_d.pdf'],
    ['attachment; filename="con.pdf"', '_con.pdf'],
    ['attachment; filename="aux.x.y.pdf"', '_aux.x.y.pdf'],
    ['attachment; filename="-rf.pdf"', 'rf.pdf'],
    ['attachment; filename="trailing. . .pdf"', 'trailing.pdf'],
    ['inline', 'get_file.pdf'],
  ])('%s gives %s', (disposition, expected) => {
    expect(nameOf(disposition)).toBe(expected);
  });

  it('is never longer than file systems allow', () => {
    expect(Buffer.byteLength(nameOf(`a; filename="${'😀é'.repeat(500)}.pdf"`))).toBeLessThan(255);
    const encoded = encodeURIComponent('長'.repeat(400));
    expect(Buffer.byteLength(nameOf(`a; filename*=UTF-8''${encoded}.pdf`))).toBeLessThan(250);
  });

  it.each([
    ['image/png', 'get_file.png'],
    ['application/vnd.ms-excel', 'get_file.bin'],
    ['../../x', 'get_file.bin'],
    ['', 'get_file.bin'],
  ])('an extension for %s', (type, expected) => {
    expect(nameOf('', type)).toBe(expected);
  });
});
