import { request } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import { openRedirect, type LoopbackRedirect } from './loopback-redirect.js';

async function opened(): Promise<LoopbackRedirect> {
  const redirect = await openRedirect();
  onTestFinished(() => redirect.close());
  return redirect;
}

const get = async (url: string): Promise<number> => (await fetch(url)).status;

describe('the redirect address', () => {
  it('accepts one answer with the state, and no other', async () => {
    const { url, state, answer } = await opened();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(await get(`${url}?code=abc&state=${state}&iss=me`)).toBe(200);
    expect(await answer).toEqual({ code: 'abc', iss: 'me' });
    await expect(fetch(`${url}?code=evil&state=${state}`)).rejects.toThrow('fetch failed');
  });

  it('ignores other requests, and keeps waiting', async () => {
    const { url, state, answer } = await opened();
    const origin = new URL(url).origin;
    expect(await get(`${url}?code=evil&state=guess`)).toBe(400);
    expect(await get(`${url}?code=evil`)).toBe(400);
    expect(await get(`${origin}/other?code=evil&state=${state}`)).toBe(404);
    const posted = await fetch(`${url}?code=evil&state=${state}`, { method: 'POST' });
    expect(posted.status).toBe(404);
    // Not an address at all.
    expect(await get(`${origin}//`)).toBe(404);
    await get(`${url}?code=good&state=${state}`);
    expect((await answer).code).toBe('good');
  });

  it('ignores a web page under another host name', async () => {
    const { url, state } = await opened();
    const status = await new Promise((resolve) => {
      const headers = { host: 'evil.example' };
      request(`${url}?code=evil&state=${state}`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(404);
  });

  it('reports that the person declined, without quoting the request', async () => {
    const { url, state, answer } = await opened();
    const page = await fetch(`${url}?error=%3Cscript%3E&state=${state}`);
    expect(await page.text()).toBe('You are not signed in. You can close this page.\n');
    expect(page.headers.get('content-security-policy')).toBe("default-src 'none'");
    await expect(answer).rejects.toThrow('no reason was given');
  });
});
