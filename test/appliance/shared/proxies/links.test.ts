import { describe, expect, it } from 'vitest';
import { formatError } from '#contract/text/error.ts';
import { readProxies } from '#proxies/read-proxies.ts';
import { errorOf } from '../../../setup/landfall-error.ts';
import { brokenLinks, secret, validLinks } from './link-shapes.ts';

const read = (text: string) => readProxies(Buffer.from(text), { file: 'links.txt', strict: true });

const failure = (text: string) => errorOf(() => read(text));

describe.each(Object.entries(validLinks))('a link of type %s is imported', (_type, links) => {
  it.each(links)('%s', (_what, link, expected) => {
    const { settings, format } = read(link);
    expect(settings.proxies).toEqual([expect.objectContaining(expected)]);
    expect(format).toBe('links');
  });
});

describe('a broken link is rejected with its line, and without its password', () => {
  const good = 'trojan://x@hk.example:443';

  it.each(brokenLinks)('%s', (_what, link, message) => {
    const error = failure(`# comment\r\n${good}#1\r\n\r\n${link}\r\n${good}#2\r\n`);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.problems.map(({ line }) => line)).toEqual(error.problems.map(() => 4));
    expect(error.problems.map((problem) => problem.message).join('\n')).toContain(message);
    expect(formatError(error)).not.toContain(secret);
  });

  it('all problems are reported at once', () => {
    const error = failure(
      brokenLinks
        .map(([, link]) => link)
        .join('\n')
        .replace(/^/, `${good}\n`),
    );
    const lines = new Set(error.problems.map(({ line }) => line));
    expect(lines).toEqual(new Set(brokenLinks.map((_link, index) => index + 2)));
  });

  it('names the allowed values', () => {
    const [first] = failure(`${good}\nssr://x`).problems;
    expect(first?.hint).toBe(
      'Allowed: ss, vless, vmess, trojan, anytls, hysteria, hysteria2, hy2, tuic, http, https, socks, socks5.',
    );
  });
});

describe('a list of links', () => {
  it('numbers duplicate names, and says so', () => {
    const link = 'trojan://x@hk.example:443#HK';
    const { settings, report } = read(`${link}\n${link}\n${link}`);
    expect(settings.proxies.map(({ name }) => name)).toEqual(['HK', 'HK 2', 'HK 3']);
    expect(report.ignored.details.map(({ line }) => line)).toEqual([2, 3]);
  });

  it('avoids a proxy with the name of the group', () => {
    const { settings } = read('trojan://x@hk.example:443#PROXY');
    expect(settings['proxy-groups']).toEqual([
      { name: 'PROXY 2', type: 'select', proxies: ['PROXY'] },
    ]);
  });

  it('notes the information of a provider', () => {
    const { report } = read('STATUS=Expires: 2030\nREMARKS=VIP\ntrojan://x@hk.example:443');
    expect(report.ignored.details.map(({ line }) => line)).toEqual([1, 2]);
  });

  it('leaves out broken links, and lists them', () => {
    const text = 'ssr://x\ntrojan://x@hk.example:443#HK\nvless://x';
    const { settings, report } = readProxies(Buffer.from(text), { file: 'links.txt' });
    expect(settings.proxies.map(({ name }) => name)).toEqual(['HK']);
    expect(report.leftOut.proxy.details.map(({ line }) => line)).toEqual([1, 3]);
  });

  it('fails if nothing is left', () => {
    const options = { file: 'links.txt' };
    expect(() => readProxies(Buffer.from('ssr://x'), options)).toThrow('links.txt: 1 problem');
  });
});
