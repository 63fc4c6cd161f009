import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initCommand } from '../../../builder/commands/init.ts';
import { readAppliance } from '../../../builder/inputs/config/appliance.ts';
import { readSite } from '../../../builder/inputs/config/site.ts';
import { driftOf, lockInputs } from '../../../builder/inputs/lock/inputs.ts';
import { lockFileText, readLock } from '../../../builder/inputs/lock/lock-file.ts';
import { personAt } from './person.ts';
import { runCommand, terminalIn } from './terminal.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-init-'));
});
afterEach(() => rm(folder, { recursive: true }));

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';
const release = ['--release-url', 'https://downloads.example.com/r/'];
/** The options that answer the questions about the server. */
const server = ['--memory', '8', '--arch', 'amd64'];
/** The options for a server without a host name. */
const bare = ['--ui-host', '', '--email', '', '--tls', 'internal'];
/** The key that moves down in a list. */
const down = '\u001b[B';
/** Ctrl-U, which deletes the answer. */
const clear = '\u0015';
const init = (...args: string[]) => runCommand(initCommand, terminalIn(folder), ...args);

describe('landfall init', () => {
  it('writes two valid files and a matching lock', async () => {
    await init(...release, '--ssh-key', key);
    const appliance = await readAppliance(join(folder, 'appliance.yaml'));
    const lock = await readLock(join(folder, 'appliance.lock.yaml'));
    if (!lock) throw new Error('no lock was written');
    expect(driftOf(lockInputs(appliance), lock)).toEqual([]);
    const text = await readFile(join(folder, 'appliance.lock.yaml'), 'utf8');
    expect(text).toBe(lockFileText(lock));
    const site = await readSite(join(folder, 'site.yaml'));
    expect(site).toMatchObject({
      admin: { user: 'ops', ssh_keys: [key] },
      tls: { mode: 'internal' },
    });
  });

  it('prepares a release for one architecture, with the models that fit the memory', async () => {
    await init(...release, '--ssh-key', key, '--memory', '4', '--arch', 'arm64');
    const text = await readFile(join(folder, 'appliance.yaml'), 'utf8');
    expect(text).toContain('  # - qwen3:8b # 5.2 GB, for servers with 12 GB of memory');
    const appliance = await readAppliance(join(folder, 'appliance.yaml'));
    expect(appliance.platforms).toEqual(['linux/arm64']);
    expect(appliance.models.map(({ name }) => name)).toEqual(['qwen3:1.7b', 'all-minilm:22m']);
    const lock = await readLock(join(folder, 'appliance.lock.yaml'));
    expect(lock && driftOf(lockInputs(appliance), lock)).toEqual([]);
  });

  it('prepares a release for amd64 with every model by default', async () => {
    await init(...release, '--ssh-key', key);
    const appliance = await readAppliance(join(folder, 'appliance.yaml'));
    expect(appliance.platforms).toEqual(['linux/amd64']);
    expect(appliance.models).toHaveLength(5);
  });

  it.each([
    ['truncated', key.replace('AAAAIOM', 'AAAAIO'), 'is truncated or has trailing data'],
    [
      'short',
      // 1024 bits, which OpenSSH no longer accepts.
      'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC8uGmXozSwlz1s1goH6rbo8DErd6zFdJvKHZR14e6fptLxuijofR4SB3XWmA02bv5sbCoOJqHRpZxeHMUV7gx2WHk8zF6+HmQhwl5kGza1WGE6WMV4zCFAZY9P8eYgiP2j4rorwIMo7r6qPrs4pxItNqnJ7u3jiAVC280/JcYObw==',
      'has only 1024 bits',
    ],
  ])('rejects a %s key before anything is written', async (_what, given, message) => {
    await expect(init(...release, '--ssh-key', given)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(message),
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('accepts host names, an email address, terms and a route', async () => {
    const names = ['--ui-host', 'chat.example.com', '--email', 'me@example.com', '--accept-terms'];
    await init(...release, '--ssh-key', key, ...names, '--route', 'socks5h://10.0.0.2:7891');
    expect(await readSite(join(folder, 'site.yaml'))).toMatchObject({
      hosts: { ui: 'chat.example.com' },
      tls: { mode: 'acme', accept_terms: true },
      route: { mode: 'socks5', url: 'socks5h://10.0.0.2:7891' },
    });
  });

  it('validates host names by DNS with --dns-provider', async () => {
    const names = ['--ui-host', 'chat.example.com', '--email', 'me@example.com', '--accept-terms'];
    const terminal = terminalIn(folder);
    const flags = [...release, '--ssh-key', key, ...names, '--dns-provider', 'alidns'];
    await runCommand(initCommand, terminal, ...flags);
    expect((await readSite(join(folder, 'site.yaml'))).tls).toMatchObject({
      mode: 'acme',
      challenge: 'dns',
      dns: { provider: 'alidns' },
    });
    expect(terminal.out()).toContain('sudo landfall secret set ALICLOUD_SECRET_KEY');
  });

  it('writes the mirrors of a preset', async () => {
    await init(...release, '--ssh-key', key, '--mirrors', 'china-debian');
    expect((await readSite(join(folder, 'site.yaml'))).mirrors).toMatchObject({
      apt: 'https://mirrors.tuna.tsinghua.edu.cn/debian',
      npm: 'https://registry.npmmirror.com',
    });
  });

  it('prepares a server that gets its release over SSH', async () => {
    const terminal = terminalIn(folder);
    await runCommand(initCommand, terminal, '--release-url', 'push', '--ssh-key', key);
    expect((await readSite(join(folder, 'site.yaml'))).release).toBe('push');
    expect(terminal.out()).toContain('landfall install root@<server> --release dist');
    expect(terminal.out()).not.toContain('upload');
  });

  it('says what is known about the upkeep of a front-end that it turns on', async () => {
    const terminal = terminalIn(folder);
    const chosen = ['--provider', 'openai', '--component', 'chat'];
    await runCommand(initCommand, terminal, ...release, '--ssh-key', key, ...chosen);
    const remark = 'NextChat has had no release since July 2025 and has a published SSRF';
    expect(terminal.out()).toContain(remark);
    expect(await readFile(join(folder, 'site.yaml'), 'utf8')).toContain(`# ${remark}`);
    expect(terminal.out()).not.toContain('LobeChat');
  });

  it('reads a key from a file', async () => {
    await writeFile(join(folder, 'id.pub'), `${key}\n`);
    await init(...release, '--ssh-key', join(folder, 'id.pub'));
    expect((await readSite(join(folder, 'site.yaml'))).admin.ssh_keys).toEqual([key]);
  });

  it('writes schema references for editors', async () => {
    await init(...release, '--ssh-key', key);
    for (const name of ['appliance', 'site']) {
      const text = await readFile(join(folder, `${name}.yaml`), 'utf8');
      const path = /^# yaml-language-server: \$schema=(\S+)/.exec(text)?.[1] ?? '';
      expect(JSON.parse(await readFile(join(folder, path), 'utf8'))).toHaveProperty('properties');
    }
  });

  it('adds keys and bundles to .gitignore and keeps its lines', async () => {
    await writeFile(join(folder, '.gitignore'), '# mine\n*.key\n');
    const terminal = terminalIn(folder);
    await runCommand(initCommand, terminal, ...release, '--ssh-key', key);
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe(
      '# mine\n*.key\n/proxies.yaml\n/dist/\n/user-data.yaml\n',
    );
    expect(terminal.err()).toBe('');
  });

  it('warns in a git work tree', async () => {
    await mkdir(join(folder, '.git'));
    const flags = ['mine', ...release, '--ssh-key', key];
    const terminal = terminalIn(folder);
    await runCommand(initCommand, terminal, ...flags);
    expect(terminal.err()).toMatch(/^warning: .*mine is in the git work tree .*private repository/);
    await runCommand(initCommand, terminal, ...flags, '--force', '--json');
    expect(JSON.parse(terminal.out().split('\n').at(-2) ?? '')).toMatchObject({
      files: expect.arrayContaining(['.gitignore']),
      warnings: [expect.stringContaining('mine is in the git work tree')],
    });
  });

  it('overwrites files only with --force', async () => {
    await writeFile(join(folder, 'site.yaml'), 'precious');
    await expect(init(...release, '--ssh-key', key)).rejects.toMatchObject({
      code: 'FILE_EXISTS',
      message: expect.stringContaining('site.yaml'),
    });
    expect(await readFile(join(folder, 'site.yaml'), 'utf8')).toBe('precious');
    await init(...release, '--ssh-key', key, '--force');
    expect(await readFile(join(folder, 'site.yaml'), 'utf8')).not.toBe('precious');
  });

  it('lists all missing flags without a terminal', async () => {
    await expect(init()).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/--release-url, --ssh-key/),
    });
  });

  it('rejects a private key without printing it', async () => {
    const path = join(folder, 'id');
    await writeFile(path, '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n');
    await expect(init(...release, '--ssh-key', path)).rejects.toMatchObject({
      code: 'USAGE',
      message: 'the SSH key is a private key',
    });
  });

  it('finds a key in the current folder and in the home folder', async () => {
    await mkdir(join(folder, '.ssh'));
    await writeFile(join(folder, 'id.pub'), `${key}\n`);
    await writeFile(join(folder, '.ssh', 'id.pub'), `${key}\n`);
    const terminal = terminalIn(folder, { HOME: folder });
    for (const given of ['id.pub', '~/.ssh/id.pub']) {
      await runCommand(initCommand, terminal, '--force', ...release, '--ssh-key', given);
    }
    expect((await readSite(join(folder, 'site.yaml'))).admin.ssh_keys).toEqual([key]);
  });

  it.each([
    [['--ui-host', 'chat.example.com'], '--email, --accept-terms'],
    [['--tls', 'acme', '--email', 'me@example.com'], '--ui-host, --accept-terms'],
    [['--tls', 'acme-ip', '--accept-terms'], '--email'],
  ])('requires the flags for a certificate with %j', async (flags, missing) => {
    await expect(init(...release, '--ssh-key', key, ...flags)).rejects.toMatchObject({
      code: 'USAGE',
      message: `missing flags: ${missing}`,
      hint: expect.stringContaining('--tls internal'),
    });
  });

  it('accepts a host name with an internal authority', async () => {
    const flags = ['--ui-host', 'chat.example.com', '--tls', 'internal'];
    await init(...release, '--ssh-key', key, ...flags);
    expect(await readSite(join(folder, 'site.yaml'))).toMatchObject({
      hosts: { ui: 'chat.example.com' },
      tls: { mode: 'internal', accept_terms: false },
    });
  });

  it.each([
    ['an invalid host name', ['--ui-host', 'chat', '--tls', 'internal'], 'hosts.ui'],
    ['an invalid email address', ['--email', 'me'], 'admin.email'],
    ['root as the user', ['--user', 'root'], 'admin.user'],
    ['an invalid proxy', ['--route', '10.0.0.2:7890'], 'route.url'],
    ['a DNS provider without host names', ['--dns-provider', 'alidns'], 'tls.challenge'],
  ])('writes nothing for %s', async (_what, flags, field) => {
    await expect(init(...release, '--ssh-key', key, ...flags)).rejects.toMatchObject({
      code: 'USAGE',
      problems: [{ message: expect.stringContaining(field) }],
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('rejects a password without printing it', async () => {
    const error: unknown = await init(
      ...release,
      ...['--ssh-key', key, '--route', 'http://me:hunter2@10.0.0.2:7890'],
    ).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'SITE_SECRET' });
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(await readdir(folder)).toEqual([]);
  });

  it('writes nothing if any target exists', async () => {
    await mkdir(join(folder, 'appliance.lock.yaml'));
    await expect(init(...release, '--ssh-key', key)).rejects.toMatchObject({
      code: 'FILE_EXISTS',
      message: expect.stringContaining('appliance.lock.yaml already exists'),
    });
    expect((await readdir(folder)).filter((name) => !name.startsWith('.'))).toEqual([
      'appliance.lock.yaml',
    ]);
  });

  it('writes site.yaml readable only by the user', async () => {
    await init(...release, '--ssh-key', key);
    expect((await stat(join(folder, 'site.yaml'))).mode & 0o777).toBe(0o600);
  });
});

describe('landfall init on a terminal', () => {
  const questions: ReadonlyArray<readonly [string, string]> = [
    ['How large is the server', ''],
    ['Which processor does the server have', ''],
    ['How does the server get the release', ''],
    ['URL of the folder that will contain', 'downloads.example.com/r/'],
    ['Which SSH keys may log in', ''],
    ['Host name of the chat UI', 'chat.example.com'],
    ['Which TLS certificate should the server use', ''],
    ['Can the internet reach port 80', ''],
    ['Do you accept the terms of service', down],
    ['Email address', 'me@example.com'],
    ['How does the server reach the internet?', ''],
    ['Does the server need mirrors', ''],
    ['Time zone of the server', ''],
    ['Hosted providers', ''],
  ];

  beforeEach(async () => {
    await mkdir(join(folder, '.ssh'));
    await writeFile(join(folder, '.ssh', 'id_ed25519.pub'), `${key}\n`);
  });

  it('prompts for missing values and offers the keys in ~/.ssh', async () => {
    const person = personAt(folder, questions);
    await runCommand(initCommand, person, 'mine');
    expect(person.unasked()).toEqual([]);
    expect(await readSite(join(folder, 'mine', 'site.yaml'))).toMatchObject({
      release: ['https://downloads.example.com/r/'],
      admin: { ssh_keys: [key], email: 'me@example.com' },
      hosts: { ui: 'chat.example.com' },
      tls: { mode: 'acme', accept_terms: true },
      route: { mode: 'direct' },
    });
  });

  /** All questions for a server whose port 80 is blocked, with these answers about DNS. */
  const blocked = (...dns: ReadonlyArray<readonly [string, string]>) =>
    questions.flatMap((each) =>
      each[0].startsWith('Can the internet') ? [[each[0], down] as const, ...dns] : [each],
    );

  it('offers validation by DNS when port 80 is blocked', async () => {
    const person = personAt(folder, blocked(['Where is the DNS of the domain', down]));
    await runCommand(initCommand, person, 'mine');
    expect(person.unasked()).toEqual([]);
    expect((await readSite(join(folder, 'mine', 'site.yaml'))).tls).toMatchObject({
      challenge: 'dns',
      dns: { provider: 'tencentcloud' },
    });
    expect(person.out()).toContain('sudo landfall secret set TENCENTCLOUD_SECRET_ID');
  });

  it('accepts the name of another DNS provider', async () => {
    const person = personAt(
      folder,
      blocked(
        ['Where is the DNS of the domain', down.repeat(6)],
        ['Name of the DNS provider', 'gandi6'],
        ['The value must be a DNS provider of lego', `${clear}gandiv5`],
      ),
    );
    await runCommand(initCommand, person, 'mine');
    expect(person.unasked()).toEqual([]);
    expect((await readSite(join(folder, 'mine', 'site.yaml'))).tls.dns?.provider).toBe('gandiv5');
    expect(person.out()).toContain('sudo landfall secret list');
  });

  it('does not prompt for values of flags', async () => {
    const person = personAt(folder, [
      ['Which TLS certificate should the server use', ''],
      ['Email address', ''],
      ['How does the server reach the internet?', down],
      ['URL of the proxy', 'socks5h://10.0.0.2:7891'],
      ['Does the server need mirrors', ''],
      ['Time zone of the server', ''],
      ['Hosted providers', ''],
    ]);
    await runCommand(initCommand, person, ...release, ...server, '--ssh-key', key, '--ui-host', '');
    expect(person.unasked()).toEqual([]);
    expect(await readSite(join(folder, 'site.yaml'))).toMatchObject({
      tls: { mode: 'internal' },
      route: { mode: 'socks5', url: 'socks5h://10.0.0.2:7891' },
    });
  });

  it('rejects an invalid answer and prompts again', async () => {
    const person = personAt(folder, [
      ['Host name of the chat UI', 'Chat'],
      ['The value must be a full host name in lower case', `${clear}203.0.113.7`],
      ['An IP address is not a host name', `${clear}https://Chat.Example.com:443/`],
      ['Email address', 'me@'],
      ['The value must', `${clear}me@example.com`],
      ['How does the server reach the internet?', down],
      ['URL of the proxy', '10.0.0.2'],
      ['The value must be a URL such as', `${clear}http://10.0.0.2:7890`],
      ['Does the server need mirrors', `${down}${down}${down}`],
      ['Mirror of the Debian archive', 'mirror.example.net/debian#x'],
      ['The value must have no', `${clear}mirror.example.net/debian`],
      ['Mirror of Docker Hub', 'https://https://registry.example.net'],
      ["Mirror of Ollama's registry", ''],
      ['Time zone of the server', ''],
      ['Hosted providers', ''],
    ]);
    const flags = [...release, ...server, '--ssh-key', key, '--tls', 'internal'];
    await runCommand(initCommand, person, ...flags);
    expect(person.unasked()).toEqual([]);
    expect(person.err()).toContain('understood as chat.example.com');
    expect(await readSite(join(folder, 'site.yaml'))).toMatchObject({
      admin: { email: 'me@example.com' },
      hosts: { ui: 'chat.example.com' },
      route: { mode: 'http-proxy', url: 'http://10.0.0.2:7890' },
      mirrors: {
        apt: 'https://mirror.example.net/debian',
        registries: { 'docker.io': 'https://registry.example.net' },
      },
    });
  });

  it('does not ask again for local models when the size of the server has decided', async () => {
    const person = personAt(folder, [
      ['How does the server reach the internet?', ''],
      ['Does the server need mirrors', ''],
      ['Time zone of the server', ''],
      ['Front-ends besides Open WebUI', ''],
    ]);
    const flags = ['--release-url', 'push', '--ssh-key', key, '--provider', 'deepseek', ...bare];
    await runCommand(initCommand, person, ...server, ...flags);
    expect(person.unasked()).toEqual([]);
    expect(person.err()).not.toContain('local model?');
  });

  it('offers a proxy client, which becomes a part of the release', async () => {
    const person = personAt(folder, [
      ['How does the server reach the internet?', `${down}${down}`],
      ['Does the server need mirrors', ''],
      ['Time zone of the server', ''],
      ['Hosted providers', ''],
    ]);
    const flags = ['--release-url', 'push', '--ssh-key', key, ...bare];
    await runCommand(initCommand, person, ...server, ...flags);
    expect(person.unasked()).toEqual([]);
    expect((await readSite(join(folder, 'site.yaml'))).route).toMatchObject({ mode: 'client' });
    const appliance = await readAppliance(join(folder, 'appliance.yaml'));
    expect(appliance.clients).toHaveProperty('sing-box');
    expect(person.out()).toContain('landfall push <user>@<server> --release dist --proxies <file>');
  });

  it('does not prompt with --yes', async () => {
    const person = personAt(folder, []);
    await runCommand(initCommand, person, '--yes', ...release, '--ssh-key', key);
    expect(person.err()).toBe('');
  });

  it('prompts on standard error', async () => {
    const person = personAt(folder, questions);
    await runCommand(initCommand, person, 'mine', '--json');
    expect(JSON.parse(person.out())).toMatchObject({
      files: expect.arrayContaining(['site.yaml']),
    });
  });
});
