import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isChinese, setLanguage } from '#contract/text/language.ts';
import { fieldMeanings } from '../../../../../builder/inputs/config/reference/render.ts';
import { judgeSite } from '../../../../../builder/page/app/form/judge-site.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me';
const admin = `admin: { ssh_keys: [${key}] }`;
const site = `release: push\n${admin}\n`;

/** What people get wrong most often. */
const mistakes: Readonly<Record<string, string>> = {
  'nothing is filled in': '',
  'no SSH key': 'release: push\nadmin: { ssh_keys: [] }\n',
  'no release': `${admin}\n`,
  'a truncated SSH key': site.replace('XHMgaePC', 'XHMgae'),
  'a private key': site.replace(key, '"-----BEGIN OPENSSH PRIVATE KEY-----"'),
  'a release that is no URL': `release: [downloads.example.com]\n${admin}\n`,
  'a placeholder': `${site}hosts: { ui: <DOMAIN> }\n`,
  'a URL as a host name': `${site}hosts: { ui: https://chat.example.com/ }\n`,
  'an IP address as a host name': `${site}hosts: { ui: 203.0.113.7 }\n`,
  'a host name with an underscore': `${site}hosts: { ui: my_chat.example.com }\n`,
  'one host name twice': `${site}hosts: { ui: a.example.com, docs: a.example.com }\ntls: { mode: internal }\n`,
  'a certificate without email and terms': `${site}hosts: { ui: a.example.com }\ntls: { mode: acme }\n`,
  'an invalid email address': site.replace('admin: {', 'admin: { email: me,'),
  'the user root': site.replace('admin: {', 'admin: { user: root,'),
  'a wrong mode': `${site}tls: { mode: letsencrypt }\n`,
  'a misspelt field': `${site}host: { ui: a.example.com }\n`,
  'a proxy without its URL': `${site}route: { mode: http-proxy }\n`,
  'a proxy with another scheme': `${site}route: { mode: http-proxy, url: "10.0.0.2:7890" }\n`,
  'a proxy with a password': `${site}route: { mode: http-proxy, url: "http://me:pw12@10.0.0.2:7890" }\n`,
  'an API key': `${site}providers: { openai: { base_url: https://api.openai.com/v1, api_key: sk-abcdefghijkl } }\n`,
  'a provider without its path': `${site}providers: { openai: { base_url: https://api.openai.com } }\n`,
  'a text instead of a list': `${site}models: qwen3:8b\n`,
  'a number instead of a text': `${site}timezone: 8\n`,
  'an unknown time zone': `${site}timezone: Beijing\n`,
  'text that is no YAML': `${site}hosts: [\n`,
  'curly quotes': `${site}tls: { mode: \u201cinternal\u201d }\n`,
};

describe('the problems of a site in Chinese', () => {
  beforeAll(() => {
    const text = readFileSync(new URL('../../../../../docs/zh/site.md', import.meta.url), 'utf8');
    vi.stubGlobal('chineseMeanings', Object.fromEntries(fieldMeanings(text)));
    setLanguage('zh');
  });
  afterAll(() => {
    setLanguage('en');
    vi.unstubAllGlobals();
  });

  it.each(Object.entries(mistakes))('explains each problem in Chinese: %s', (what, text) => {
    const { site: valid, error, problems } = judgeSite(text, false);
    expect(valid, what).toBeUndefined();
    const english = problems
      .flatMap(({ message, hint = '中' }) => [message, hint])
      .filter((each) => !isChinese(each));
    expect(english).toEqual([]);
    expect(problems.length + (error ? 1 : 0)).toBeGreaterThan(0);
  });
});
