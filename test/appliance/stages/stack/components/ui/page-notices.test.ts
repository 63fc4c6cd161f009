import { describe, expect, it } from 'vitest';
import { uiLocations } from '../../../../../../appliance/stages/stack/components/ui/locations.ts';
import { origin, Page } from './page.ts';

/** What the gateway answers to a change of settings. */
const [, answer = ''] =
  /return 403 '(.*settings_in_site.*?)';/.exec(uiLocations('https://$host')) ?? [];

function events(...lines: readonly string[]): Response {
  const headers = { 'content-type': 'text/event-stream' };
  return new Response(lines.map((line) => `data: ${line}\n\n`).join(''), { headers });
}

describe('the notice of the chat page', () => {
  const json = { 'content-type': 'application/json' };
  const refused = () => new Response(answer, { status: 403, headers: json });

  it('says for every path that a setting is not saved, in place of what the page says', async () => {
    const page = new Page(refused);
    for (const path of [
      '/api/v1/configs/code_execution',
      '/api/v9/later/config',
      '/openai/config/update',
    ]) {
      const response = await page.fetch(`${origin}${path}`, { method: 'POST', body: '{}' });
      // The page still learns that it failed.
      expect([response.status, await response.text()]).toEqual([403, answer]);
      expect(page.notice?.textContent).toMatch(/^Not saved: .*未保存/);
      expect(page.notice?.children[0]?.textContent).toContain(
        '[data-sonner-toast] { display: none',
      );
      page.notice?.click();
      expect(page.notice).toBeUndefined();
    }
  });

  it('shows one notice for several answers', async () => {
    const page = new Page(refused);
    await Promise.all([1, 2, 3].map(() => page.fetch(`${origin}/api/v1/configs/a`)));
    page.notice?.click();
    expect(page.notice).toBeUndefined();
  });

  it.each([
    ['another error', 403, '{"detail":"Unauthorized"}', json],
    ['a page', 403, '<!doctype html>', { 'content-type': 'text/html' }],
    ['a value that is no object', 403, 'null', json],
    ['broken JSON', 403, '{', json],
    ['a success', 200, answer, json],
  ])('shows no notice after %s, which passes unchanged', async (_kind, status, body, headers) => {
    const page = new Page(() => new Response(body, { status, headers }));
    const response = await page.fetch(`${origin}/api/v1/configs/a`, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([status, body]);
    expect(page.notice).toBeUndefined();
  });
});

describe('the errors of a document that is processed', () => {
  const path = `${origin}/api/v1/files/12345678/process/status?stream=true`;
  const said = async (error: string) => {
    const page = new Page(() =>
      events('{"status": "pending"}', JSON.stringify({ status: 'failed', error })),
    );
    const text = await (await page.fetch(path)).text();
    const [, last = ''] = text.trim().split('\n\n');
    expect(text).toMatch(/^data: \{"status": "pending"\}\n\n/);
    return JSON.parse(last.replace(/^data: /, ''));
  };

  it.each([
    'File is not a zip file',
    '400: [ERROR: File is not a zip file]',
    'Bad CRC-32 for file word/document.xml',
  ])('says that a file is broken in place of "%s"', async (error) => {
    expect(await said(error)).toEqual({
      status: 'failed',
      error: expect.stringMatching(/^This file is broken or has a password.*文件已损坏/),
    });
  });

  it('says that a scan has no text', async () => {
    const error =
      'The content provided is empty. Please ensure that there is text or data present before proceeding.';
    expect(await said(error)).toEqual({
      status: 'failed',
      error: expect.stringMatching(/^This file has no text.*scan.*可能是扫描件/),
    });
  });

  it('keeps the error of a document that says more', async () => {
    const error = 'input length exceeds the context length';
    expect(await said(error)).toEqual({ status: 'failed', error });
  });
});
