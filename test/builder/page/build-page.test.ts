import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { buildPage } from '../../../builder/page/build-page.ts';
import type { PageFacts } from '../../../builder/page/facts.ts';
import { releaseKey } from '../../simulator/keys.ts';

const facts: PageFacts = {
  product: 'landfall',
  version: '1.2.0',
  architectures: ['amd64'],
  keys: { release: [releaseKey.public.spki], recovery: null },
  keyPage: 'https://example.com/</script><b>',
};

describe('the page that makes user-data', () => {
  let page: string;
  beforeAll(async () => {
    page = decodeUtf8(await buildPage());
  });

  it('gets the same bytes from each build', async () => {
    expect(decodeUtf8(await buildPage())).toBe(page);
  });

  it('stays within 400 kB', () => {
    expect(page.length).toBeGreaterThan(100_000);
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(400_000);
  });

  it('allows its own scripts and style only, by their hashes', () => {
    const [, policy = ''] =
      /<meta http-equiv="content-security-policy" content="([^"]+)">/.exec(page) ?? [];
    const contentOf = (tag: string) => new RegExp(`<${tag}>([^]*?)</`).exec(page)?.[1] ?? '';
    const hashOf = (content: string | Buffer) =>
      `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
    const program = inflateRawSync(
      Buffer.from(contentOf('script type="text/plain" id="program"'), 'base64'),
    );
    expect(program.length).toBeGreaterThan(300_000);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${hashOf(contentOf('script'))} ${hashOf(program)}`,
      `style-src ${hashOf(contentOf('style'))}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('loads no other file and stores nothing', () => {
    expect(page).not.toMatch(/<(?:link|img|iframe|script)[^>]+(?:src|href)=/);
    expect(page).not.toMatch(/localStorage|sessionStorage|indexedDB|sendBeacon|document\.cookie/);
  });

  it('keeps the facts of its release, whose text cannot become markup', async () => {
    const released = decodeUtf8(await buildPage(facts));
    const [, data = ''] = /id="facts">([^<]*)</.exec(released) ?? [];
    expect(JSON.parse(data)).toEqual(facts);
    expect(released.replace(data, 'null')).toBe(page);
  });
});
