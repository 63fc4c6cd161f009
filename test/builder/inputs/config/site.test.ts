import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateMode } from '#contract/site/updates.ts';
import type { SiteOptions } from '#explain/parse-site.ts';
import { readSite } from '../../../../builder/inputs/config/site.ts';
import { rejectionOf } from '../../../setup/landfall-error.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-site-'));
  path = join(folder, 'site.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';
const minimal = `release: [https://example.org/r/]\nadmin: { ssh_keys: ["${key}"] }\n`;

async function read(text: string, options?: SiteOptions) {
  await writeFile(path, text);
  return readSite(path, options);
}

const failure = (text: string, options?: SiteOptions) => rejectionOf(read(text, options));

describe('a site', () => {
  it('requires a release URL and an SSH key', async () => {
    expect(await read(minimal)).toMatchObject({
      admin: { user: 'ops' },
      hosts: {},
      tls: { mode: 'internal', accept_terms: false },
      route: { mode: 'direct' },
      components: { chat: false, lobe: false },
    });
  });

  it('accepts the example of a site', async () => {
    const example = new URL('../../../../builder/inputs/config/example-site.yaml', import.meta.url);
    expect((await readSite(fileURLToPath(example))).hosts.ui).toBe('chat.example.com');
  });

  it('may use an http proxy', async () => {
    const url = 'http://10.0.0.2:7890';
    const site = await read(`${minimal}route: { mode: http-proxy, url: "${url}" }\n`);
    expect(site.route).toEqual({ mode: 'http-proxy', url, no_proxy: [] });
  });
});

describe('the release of a site', () => {
  const withRelease = (value: string) => `release: ${value}\nadmin: { ssh_keys: ["${key}"] }\n`;

  it('may arrive over SSH', async () => {
    expect((await read(withRelease('push'))).release).toBe('push');
  });

  it.each([
    ['[]', 'release'],
    ['pull', 'must be a list or push'],
    ['[push]', 'release[0] must be a URL'],
    ['["ftp://example.com/"]', 'release[0] must be a URL'],
  ])('rejects %s as the release of a site', async (value, expected) => {
    const { problems } = await failure(withRelease(value));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(expected);
  });
});

describe('a site for a later version', () => {
  it('rejects the reserved key clients', async () => {
    const { problems } = await failure(`${minimal}clients: []\n`);
    expect(problems).toEqual([
      expect.objectContaining({
        message: expect.stringContaining('clients is reserved for a later version of Landfall'),
      }),
    ]);
  });

  it.each([
    ['install', 'updates.mode install needs a channel'],
    ['notify', 'updates.mode notify needs a channel'],
  ])('rejects updates.mode %s without a channel', async (mode, message) => {
    const { problems } = await failure(`${minimal}updates: { mode: ${mode} }\n`);
    expect(problems[0]?.message).toContain(message);
  });

  it.each([
    ['03:00-03:29', ['updates.window is 29 minutes long, and must be at least 30']],
    ['23:50-00:10', ['updates.window is 20 minutes long, and must be at least 30']],
    ['23:45-00:15', []],
    ['03:00-03:00', []],
  ])('checks the length of the window %s of updates.mode install', async (window, messages) => {
    const channels = '[https://downloads.example.com/landfall/stable/]';
    const text = `${minimal}updates: { channels: ${channels}, mode: install, window: ${window} }\n`;
    const problems = messages.length === 0 ? [] : (await failure(text)).problems;
    if (messages.length === 0) expect((await read(text)).updates.window).toBe(window);
    expect(problems.map(({ message }) => message)).toEqual(messages);
  });

  it.each(['https', 'http'])(
    'accepts a channel over %s, and announces releases',
    async (scheme) => {
      const channels = `[${scheme}://downloads.example.com/landfall/stable/]`;
      const site = await read(
        `${minimal}updates: { channels: ${channels}, window: 03:00-05:00 }\n`,
      );
      expect(site.updates).toMatchObject({ window: '03:00-05:00' });
      expect(updateMode(site)).toBe('notify');
    },
  );
});

describe('a site that holds a secret', () => {
  it.each([
    [
      'a provider key by its name',
      `providers: { openai: { base_url: https://x.example/v1, api_key: abc } }\n`,
      'providers.openai.api_key',
    ],
    ['a provider key by its format', `note: sk-abcdefgh12345678\n`, 'note'],
    ['a hub token', `x: hf_abcdefgh12345678\n`, 'x'],
    [
      'a variable of the specification',
      'environment: { PROVIDER_API_KEY: abc }\n',
      'environment.PROVIDER_API_KEY',
    ],
    ['a proxy password', 'TINYPROXY_PASSWORD: hunter2\n', 'TINYPROXY_PASSWORD'],
    ['the signing secret of the UI', 'WEBUI_SECRET_KEY: 0123456789\n', 'WEBUI_SECRET_KEY'],
    ['a key in camel case', 'apiKey: abc\n', 'apiKey'],
    ['a password that is a number', 'admin: { password: 123456 }\n', 'admin.password'],
    ['secrets in a list', 'tokens: [abc, def]\n', 'tokens[1]'],
    ['a line of an environment file', 'environment: ["WEBUI_SECRET_KEY=abc"]\n', 'environment[0]'],
    [
      'a token in the query of a URL',
      'mirrors: { files: "https://m.example/?token=abc" }\n',
      'mirrors.files',
    ],
    [
      'a password in a URL',
      'mirrors: { apt: "https://me:hunter2@mirror.example/debian" }\n',
      'mirrors.apt',
    ],
    [
      'the password of the route',
      'route: { mode: http-proxy, url: "http://me:hunter2@10.0.0.2:1" }\n',
      'route.url',
    ],
  ])('rejects a site that holds a secret: %s', async (_what, text, place) => {
    const error = await failure(
      text.startsWith('admin') ? `release: [https://e.org/]\n${text}` : minimal + text,
    );
    expect(error.code).toBe('SITE_SECRET');
    expect(error.problems.map(({ message }) => message.split(' ')[0])).toContain(place);
    expect(error.problems.every(({ hint }) => hint)).toBe(true);
  });

  it('rejects a private SSH key', async () => {
    const pem = '-----BEGIN OPENSSH PRIVATE KEY-----\\nb3BlbnNzaC1rZXktdjEA\\n';
    const error = await failure(`release: [https://e.org/]\nadmin: { ssh_keys: ["${pem}"] }\n`);
    expect(error).toMatchObject({
      code: 'SITE_SECRET',
      problems: [{ hint: expect.stringContaining('.pub') }],
    });
  });

  it('does not print the secret or a part of it', async () => {
    const error = await failure(`${minimal}password: correct-horse-battery\n`);
    expect(JSON.stringify([error.message, error.hint, error.problems])).not.toMatch(
      /correct|horse|battery/,
    );
  });

  it('accepts a proxy password with the flag, and warns', async () => {
    const text = `${minimal}route: { mode: http-proxy, url: "http://me:hunter2@10.0.0.2:1" }\n`;
    const notes: string[] = [];
    await read(text, { allowRoutePassword: true, note: (line) => notes.push(line) });
    expect(notes.join()).toContain('every process on the server');
    expect(notes.join()).not.toContain('hunter2');
  });

  it('accepts the public key of a hardware token, which starts like a provider key', async () => {
    const hardware = [
      'sk-ssh-ed25519@openssh.com',
      'AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIKy5/U6E4LuEbz8Ls5Tn4Wv7pAf2lVhzWkXcQmYx0dJrAAAABHNzaDo=',
      'me@token',
    ].join(' ');
    const site = await read(`release: [https://e.org/]\nadmin: { ssh_keys: ["${hardware}"] }\n`);
    expect(site.admin.ssh_keys).toEqual([hardware]);
  });

  it('rejects other passwords even with the flag', async () => {
    const text = `${minimal}mirrors: { apt: "https://me:pw@m.example/" }\n`;
    expect((await failure(text, { allowRoutePassword: true })).code).toBe('SITE_SECRET');
  });
});

describe('a site with placeholders', () => {
  it.each([
    '<DOMAIN>',
    '<your-domain>',
    '{hub_mirror_url}',
    'CHANGE_ME',
    'changeme',
    'REPLACE',
    '{{ host }}',
  ])('rejects the placeholder %s', async (text) => {
    const error = await failure(`${minimal}hosts: { ui: "${text}" }\n`);
    expect(error.problems[0]?.message).toBe(`hosts.ui contains the placeholder ${text}`);
    expect(error.problems[0]?.line).toBe(3);
  });
});

describe('a site without placeholders', () => {
  it('accepts a host name with the word replace', async () => {
    const site = await read(`${minimal}hosts: { ui: replace.example.com }\n`);
    expect(site.hosts.ui).toBe('replace.example.com');
  });
});

describe('a site with invalid or contradictory fields', () => {
  const acme = (more: string) =>
    `release: [https://e.org/]\nadmin: { ssh_keys: ["${key}"], email: a@b.example }\n${more}`;

  it.each([
    [
      'acme without accepting the terms',
      acme('hosts: { ui: a.example.com }\ntls: { mode: acme }\n'),
      'accept_terms',
    ],
    [
      'acme without e-mail',
      `${minimal}hosts: { ui: a.example.com }\ntls: { mode: acme, accept_terms: true }\n`,
      'admin.email',
    ],
    ['acme without a host', acme('tls: { mode: acme, accept_terms: true }\n'), 'needs a host name'],
    [
      'one name for two parts',
      acme('hosts: { ui: a.example.com, relay: a.example.com }\n'),
      'hosts.relay and hosts.ui are both',
    ],
    [
      'a name for a disabled front-end',
      acme('hosts: { ui: a.example.com, chat: next.example.com }\n'),
      'hosts.chat is next.example.com, but components.chat is disabled',
    ],
    ['an invalid email address', acme('').replace('a@b.example', 'me'), 'admin.email'],
    [
      'a provider without a path',
      acme('providers: { x: { base_url: https://api.example.com/ } }\n'),
      'has no path, such as /v1',
    ],
    [
      'an invalid host name',
      acme('hosts: { ui: "http://x.example.com" }\n'),
      'hosts.ui must be a full host name',
    ],
    ['a host name in capitals', acme('hosts: { ui: Chat.example.com }\n'), 'in lower case'],
    [
      'root as the user',
      'release: [https://e.org/]\nadmin: { user: root, ssh_keys: [x] }\n',
      'is the name of a system account',
    ],
    [
      'no key to log in with',
      'release: [https://e.org/]\nadmin: { ssh_keys: [] }\n',
      'at least one key',
    ],
    [
      'an invalid SSH key',
      'release: [https://e.org/]\nadmin: { ssh_keys: [abc] }\n',
      'OpenSSH public key',
    ],
    [
      'a truncated SSH key',
      `release: [https://e.org/]\nadmin: { ssh_keys: ["${key.slice(0, 60)}"] }\n`,
      'admin.ssh_keys[0] is truncated',
    ],
    [
      'an unknown TLS mode',
      acme('tls: { mode: letsencrypt }\n'),
      'tls.mode must be one of: acme, acme-staging',
    ],
    [
      'an unknown route mode',
      acme('route: { mode: vpn }\n'),
      'route.mode must be one of: direct, http-proxy, socks5',
    ],
    [
      'a certificate for the address beside host names',
      acme('hosts: { ui: a.example.com }\ntls: { mode: acme-ip, accept_terms: true }\n'),
      'tls.mode acme-ip is for sites without host names',
    ],
    [
      'an authority without an ACME mode',
      acme('tls: { mode: internal, server: { url: "https://acme.example.com/dir" } }\n'),
      'tls.server has no effect with tls.mode internal',
    ],
    [
      'an authority without TLS',
      acme('tls: { mode: acme-ip, accept_terms: true, server: { url: "http://e.org/dir" } }\n'),
      'tls.server.url must be a URL such as https://acme.example.com/directory',
    ],
    [
      'an authority that no certificate vouches for',
      acme(
        'tls: { mode: acme-ip, accept_terms: true, server: { url: "https://e.org/d", ca: /etc/ca.pem } }\n',
      ),
      'tls.server.ca must be one certificate in PEM',
    ],
    ['a proxy without a URL', acme('route: { mode: http-proxy }\n'), 'route.url is missing'],
  ])('rejects a site with %s', async (_what, text, message) => {
    const error = await failure(text);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.problems.map((problem) => problem.message)).toContainEqual(
      expect.stringContaining(message),
    );
  });

  it('reports all problems in the order of the file', async () => {
    const text = [
      'relase: [https://e.org/]',
      `admin: { user: root, ssh_keys: ["${key}"] }`,
      'hosts: { ui: <DOMAIN>, relay: a.example.com }',
      'tls: { mode: acme }',
      'route: { mode: http-proxy, ulr: "http://10.0.0.2:7890" }',
      'providers: { x: { base_url: https://api.example.com } }',
    ].join('\n');
    const error = await failure(text);
    expect(error.problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '1 release is missing',
      '1 relase is not a known key',
      '2 admin.user is the name of a system account or group; choose another one',
      '3 hosts.ui contains the placeholder <DOMAIN>',
      '4 tls.mode acme needs tls.accept_terms: true',
      '5 route.url is missing',
      '5 route.ulr is not a known key',
      '6 providers.x.base_url has no path, such as /v1',
    ]);
    expect(error.problems.map(({ hint }) => hint)).toContain('Did you mean url?');
  });

  it.each([
    [
      'hosts: { ui: "https://Chat.example.com/" }',
      'The value is https://Chat.example.com/; write chat.example.com.',
    ],
    [
      'hosts: { lobe: l.example.com }',
      'Enable it with components: { lobe: true }, or remove hosts.lobe.',
    ],
    ['hosts: { ui: a.example.com, docs: a.example.com }', 'such as docs.example.com.'],
    [
      'hosts: { ui: a.example.com }\ntls: { mode: acme, accept_terms: true }',
      'admin: { email: me@example.com }',
    ],
    ['providers: { x: { base_url: https://x.example/v2/models } }', 'Set https://x.example/v2 '],
    ['variables: { PROVIDER_BASE_URL: https://x.example }', 'Set https://x.example/v1'],
    ['ports: { ui: 8080 }', 'Use another port; 8081 is free.'],
    ['components: { chat: yes }', 'Write true.'],
    ['firewall: { allow: [8443] }', 'The value is 8443.'],
    ['firewall: { allow: [6000-6010] }', 'The value is 6000-6010.'],
    ['firewall: { allow: [http] }', 'The value is http.'],
    ['ports: { ui: 70000 }', 'The value is 70000.'],
  ])('prints a hint for %s', async (text, hint) => {
    const error = await failure(`${minimal}${text}\n`);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.problems.map((problem) => problem.hint)).toContainEqual(
      expect.stringContaining(hint),
    );
  });

  it('prints no hint about mail from the authority', async () => {
    const { problems } = await failure(`${minimal}tls: { mode: acme-ip, accept_terms: true }\n`);
    expect(problems.map(({ hint }) => hint).join()).not.toMatch(/writes|expire/);
  });

  it('accepts a certificate for the bare address without any host name', async () => {
    await expect(read(acme('tls: { mode: acme-ip, accept_terms: true }\n'))).resolves.toBeDefined();
  });
});
