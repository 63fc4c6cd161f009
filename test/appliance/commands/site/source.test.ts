import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { siteFile, siteTextFile } from '#contract/server-paths.ts';
import {
  currentText,
  ensureSiteText,
  parseSource,
  readSource,
} from '../../../../appliance/commands/site/source.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';
const site = {
  release: ['https://releases.example.com/'],
  admin: { user: 'ops', ssh_keys: [key] },
  hosts: { ui: 'chat.example.com' },
  report: { webhook: 'https://hooks.example.com/' },
};
const json = JSON.stringify(site);

describe('site.yaml of a server', () => {
  it('gets the fields of site.json with comments, if there is none', async () => {
    const host = TemporaryHost.with({ [siteFile]: json });
    await ensureSiteText(host);
    const text = await currentText(host);
    expect(parse(text)).toEqual(site);
    expect(text).toContain('# Host names of the components');
    expect(text).toContain('# Notification when the server is ready.\nreport:');
    expect((await readSource(host, undefined)).text).toBe(text);
  });

  it('gets comments in the language of the site', async () => {
    const zh = { ...site, language: 'zh' };
    const host = TemporaryHost.with({ [siteFile]: JSON.stringify(zh) });
    const text = await currentText(host);
    expect(parse(text)).toEqual(zh);
    for (const about of ['这台服务器的设置', '各组件的域名', '服务器就绪时的通知']) {
      expect(text).toContain(`# ${about}`);
    }
    expect(text).not.toContain('# Host names');
  });

  it('stays as an administrator wrote it', async () => {
    const host = TemporaryHost.with({ [siteFile]: json, [siteTextFile]: '# Mine.\n' });
    await ensureSiteText(host);
    expect(await currentText(host)).toBe('# Mine.\n');
  });

  it('keeps its comments when JSON is applied', () => {
    const { text } = parseSource(Buffer.from(json), 'site.json');
    expect(text).toContain('# Host names of the components');
    expect(parse(text)).toEqual(site);
  });
});

describe('a text that is no site', () => {
  const bomb = [...'bcdefghi'].map((name, at) => {
    const above = Array.from({ length: 9 }, () => `*${'abcdefgh'[at]}`).join(', ');
    return `${name}: &${name} [${above}]`;
  });
  it.each([
    ['an empty file', '', 'CONFIG_INVALID'],
    ['tabs', 'hosts:\n\tui: a.example.com\n', 'CONFIG_SYNTAX'],
    ['two documents', 'timezone: UTC\n---\ntimezone: UTC\n', 'CONFIG_SYNTAX'],
    ['an anchor bomb', `a: &a [x]\n${bomb.join('\n')}\n`, 'CONFIG_SYNTAX'],
    ['a megabyte', `# ${'x'.repeat(1 << 20)}\n`, 'CONFIG_TOO_LARGE'],
    ['bytes that are not UTF-8', Buffer.from([0x68, 0xff, 0xfe, 0x0a]), 'CONFIG_ENCODING'],
    ['a field of a later release', `${json.slice(0, -1)}, "quantum": true}`, 'CONFIG_INVALID'],
    [
      'a secret',
      `${json.slice(0, -1)}, "hub": {"base_url": "https://a.example/?key=1"}}`,
      'CONFIG_INVALID',
    ],
  ])('fails with a position or a size: %s', (_what, content, code) => {
    expect(() => parseSource(Buffer.from(content), 'site.yaml')).toThrow(
      expect.objectContaining({ code }),
    );
  });
});
