import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editorCommand } from '../../../builder/commands/editor.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { status } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { HttpProxy } from '../../faulty-server/http-proxy.ts';
import { runCommand, type TestTerminal, terminalIn } from './terminal.ts';

const proxy = 'http://10.0.0.2:7890';
let home: string;
let terminal: TestTerminal;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'landfall-editor-command-'));
  terminal = terminalIn(home);
});
afterEach(() => rm(home, { recursive: true }));

const settings = (folder: string) => join(home, '.config', folder, 'User/settings.json');
const start = (folder: string) => mkdir(join(home, '.config', folder), { recursive: true });
const editor = (...args: string[]) => runCommand(editorCommand, terminal, ...args);
const valuesOf = async (folder: string) => parse(await readFile(settings(folder), 'utf8'));

describe('landfall editor configure', () => {
  it('finds the only editor, and remove undoes it', async () => {
    await start('VSCodium');
    await editor('configure', '--proxy', proxy);
    expect(terminal.out()).toContain(`VSCodium uses ${proxy}: changed http.proxy, window`);
    expect(await valuesOf('VSCodium')).toEqual({
      'http.proxy': proxy,
      'window.titleBarStyle': 'custom',
    });
    await editor('remove', '--json');
    expect(JSON.parse(terminal.out())).toMatchObject({
      editor: 'vscodium',
      restored: ['http.proxy', 'window.titleBarStyle'],
    });
    await expect(stat(settings('VSCodium'))).rejects.toThrow('ENOENT');
  });

  it('lists several editors if it cannot prompt', async () => {
    await start('Code');
    await start('Cursor');
    await expect(editor('configure', '--proxy', proxy)).rejects.toMatchObject({
      code: 'USAGE',
      problems: [
        { message: `--editor code: ${settings('Code')}` },
        { message: `--editor cursor: ${settings('Cursor')}` },
      ],
    });
    await editor('configure', '--proxy', proxy, '--editor', 'cursor');
    expect(await valuesOf('Cursor')).toHaveProperty(['cursor.general.disableHttp2'], true);
    await expect(stat(settings('Code'))).rejects.toThrow('ENOENT');
  });

  it('rejects landfall editor configure without an editor', async () => {
    await expect(editor('configure', '--proxy', proxy)).rejects.toMatchObject({
      code: 'FILE_MISSING',
    });
  });

  it('uses the settings of an editor at its usual path, and of any other file', async () => {
    await editor('configure', '--proxy', proxy, '--settings', settings('Windsurf'));
    expect(await valuesOf('Windsurf')).toHaveProperty(['codeium.detectProxy'], true);
    await editor('configure', '--proxy', proxy, '--settings', 'mine.json', '--json');
    const result = JSON.parse(terminal.out().replace(/^[^{]*/, ''));
    expect(result).toMatchObject({ editor: 'other', settings: join(home, 'mine.json'), proxy });
  });

  it('uses HTTPS_PROXY, and the password of the environment, which it does not print', async () => {
    terminal = terminalIn(home, { HTTPS_PROXY: proxy, LANDFALL_PROXY_PASSWORD: 'p@ss' });
    await editor('configure', '--editor', 'code');
    expect(await valuesOf('Code')).toHaveProperty(['http.proxy'], proxy);
    await editor('configure', '--editor', 'code', '--proxy', 'http://me@10.0.0.2:7890');
    expect(await valuesOf('Code')).toHaveProperty(['http.proxy'], 'http://me:p%40ss@10.0.0.2:7890');
    expect(terminal.out()).toContain('http://me:***@10.0.0.2:7890');
    expect(terminal.err()).toContain('contains the password of the proxy');
  });

  it.each([
    ['no proxy', [], 'HTTPS_PROXY is not set'],
    ['a login', ['--proxy', 'http://me:secret@10.0.0.2:7890'], 'contains a password'],
    ['a user without a password', ['--proxy', 'http://me@p:1'], 'password of the proxy is missing'],
  ])('rejects landfall editor configure with %s', async (_what, args, reason) => {
    const run = editor('configure', '--editor', 'code', ...args);
    await expect(run).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(reason),
    });
    await expect(stat(settings('Code'))).rejects.toThrow('ENOENT');
  });
});

describe('landfall editor check', () => {
  const authority = new CertificateAuthority();
  let vendor: FaultyServer;
  let server: HttpProxy;
  beforeEach(async () => {
    vendor = await FaultyServer.start({ '/': status(404) }, { tls: authority.issue() });
    server = await HttpProxy.start();
    await writeFile(join(home, 'ca.pem'), authority.cert);
    await writeFile(join(home, 'settings.json'), JSON.stringify({ 'http.proxy': server.url }));
  });
  afterEach(() => Promise.all([vendor.close(), server.close()]));

  const check = (...args: string[]) =>
    editor('check', '--settings', 'settings.json', '--host', vendor.host, ...args);

  it('ends with Connected and exit code 0', async () => {
    terminal = terminalIn(home, { REQUESTS_CA_BUNDLE: 'ca.pem' });
    await check();
    expect(terminal.out()).toMatch(/\nok {2}\S+ {2}added {2}0\.\d s\n\nConnected\n$/);
    expect(terminal.exitCode()).toBe(0);
    expect(server.asked).toEqual([`CONNECT ${vendor.host}`]);
  });

  it('exits with 5 and prints the remedy, also as JSON', async () => {
    await check('--json');
    expect(JSON.parse(terminal.out())).toMatchObject({
      connected: false,
      proxy: server.url,
      hosts: [{ host: vendor.host, outcome: 'failed', symptom: 'tls-error' }],
    });
    expect(terminal.exitCode()).toBe(5);
  });

  it('rejects the settings if the editor ignores the proxy', async () => {
    await writeFile(join(home, 'settings.json'), '{}');
    await expect(check()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('rejects landfall editor check with a URL', async () => {
    await expect(check('--host', 'https://a.example')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('rejects landfall editor check without a host for an unknown editor', async () => {
    await expect(editor('check', '--settings', 'settings.json')).rejects.toMatchObject({
      code: 'USAGE',
    });
  });
});
