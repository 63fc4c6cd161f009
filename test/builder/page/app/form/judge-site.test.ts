import { describe, expect, it } from 'vitest';
import { judgeSite, problemsOf } from '../../../../../builder/page/app/form/judge-site.ts';
import { presetNames, presetText } from '../../../../../builder/page/app/form/presets.ts';

const site = `release: [https://downloads.example.com/landfall/]
admin:
  ssh_keys:
    - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop
`;

const fieldsOf = (text: string) => judgeSite(text, false).problems.map(({ field }) => field);

describe('judgeSite', () => {
  it('returns a valid site with its values', () => {
    const { site: parsed, values, problems } = judgeSite(site, false);
    expect(parsed?.admin.user).toBe('ops');
    expect(values).not.toHaveProperty('admin.user');
    expect(problems).toEqual([]);
  });

  it('names the field of each problem: invalid, missing and contradicting values, unknown keys', () => {
    const text = `${site}hosts: { ui: Chat, uii: a.example }\ntls: { mode: acme }\ndns: {}\n`;
    expect(fieldsOf(text).sort()).toEqual([
      'admin.email',
      'dns.nameserver',
      'hosts.ui',
      'hosts.uii',
      'tls.accept_terms',
    ]);
  });

  it('reports a placeholder once', () => {
    expect(fieldsOf(`${site}hosts: { ui: <DOMAIN> }\n`)).toEqual(['hosts.ui']);
  });

  it('refuses a private key and a proxy password, unless the user consents to the password', () => {
    const key = site.replace(/ssh-ed25519.*/, '"-----BEGIN OPENSSH PRIVATE KEY-----"');
    expect(judgeSite(key, true).error?.code).toBe('SITE_SECRET');
    expect(fieldsOf(key)).toEqual(['admin.ssh_keys[0]']);
    const proxy = `${site}route: { mode: http-proxy, url: "http://me:pw12345@10.0.0.2:3128" }\n`;
    expect(fieldsOf(proxy)).toEqual(['route.url']);
    expect(judgeSite(proxy, true).site).toBeDefined();
  });

  it('reports a text that is not YAML as a whole', () => {
    expect(judgeSite('a: [', false)).toMatchObject({ values: undefined, problems: [] });
    expect(judgeSite('a: [', false).error?.code).toBe('CONFIG_SYNTAX');
  });
});

describe('problemsOf', () => {
  it('returns the problems of a field and of its entries, but not of fields with the same start', () => {
    const problems = ['hosts.ui', 'admin.ssh_keys[1]', 'admin.ssh_keys_2'].map((field) => ({
      ...{ field, message: field },
    }));
    expect(problemsOf(problems, 'admin.ssh_keys').map(({ field }) => field)).toEqual([
      'admin.ssh_keys[1]',
    ]);
  });
});

it.each(presetNames)(
  'begins the preset %s with a site that lacks only what the user knows',
  (name) => {
    const urls = ['https://downloads.example.com/landfall/'];
    const facts = { product: 'landfall', version: '1.2.0', architectures: [], urls };
    const text = presetText(name, { ...facts, keys: { release: [], recovery: null } }, 'en');
    const { error, problems } = judgeSite(text, false);
    expect(error?.code).toBe('CONFIG_INVALID');
    expect(problems.map(({ field }) => field)).toContain('admin.ssh_keys');
    const known = /^(?:admin(?:\.\w+)?|tls(?:\.\w+)?|route\.url|hosts(?:\.\w+)?|providers)$/;
    expect(problems.filter(({ field }) => !known.test(field))).toEqual([]);
  },
);
