import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSite } from '../../../builder/inputs/config/site.ts';
import { inTerminal, keys, landfall, type TerminalRun } from '../../pty/terminal.ts';

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';
const timezone = ['--timezone', 'Asia/Shanghai'];
const flags = ['--memory', '8', '--arch', 'amd64', '--ssh-key', key, ...timezone];
const proxy = 'http://me:hunter2@10.0.0.2:7890';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-pty-draft-'));
});
afterEach(() => rm(folder, { recursive: true }));

const init = (...args: string[]) =>
  inTerminal([...landfall, 'init', 'mine', ...args], { cwd: folder });
const draftFile = () => join(folder, '.local/state/landfall/init.json');

/** Waits for each question and types the answer and Enter. */
async function answer(run: TerminalRun, ...answers: ReadonlyArray<readonly [string, string]>) {
  for (const [question, typed] of answers) {
    await run.shows(question);
    run.type(`${typed}${keys.enter}`);
  }
}

describe('landfall init', () => {
  it('goes one question back on Esc and offers the earlier answer', async () => {
    const run = init(...flags, '--release-url', 'https://e.org/', '--tls', 'internal');
    await answer(run, ['Host name of the chat UI', 'caht.example.com']);
    await run.shows('Email address');
    run.type(keys.escape);
    await run.shows('Host name of the chat UI');
    await answer(
      run,
      ['caht.example.com', `${keys.clear}chat.example.com`],
      ['Email address', 'me@example.com'],
      ['How does the server reach', ''],
      ['Does the server need mirrors', ''],
      ['Hosted providers', ''],
    );
    expect((await run.end()).status).toBe(0);
    const site = await readSite(join(folder, 'mine/site.yaml'));
    expect(site.hosts).toEqual({ ui: 'chat.example.com' });
    expect(site.admin.email).toBe('me@example.com');
  });

  it('asks the first question again on Esc', async () => {
    const run = init(...flags);
    await run.shows('How does the server get the release?');
    run.type(keys.escape);
    await run.shows('How does the server get the release?');
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
  });

  it('shows the cursor again when the terminal sends a signal for Ctrl-C', async () => {
    const run = init(...flags);
    await run.shows('How does the server get the release?');
    run.interrupt();
    const { status, text } = await run.end();
    expect(status).toBe(130);
    expect(text).toContain('cancelled: nothing was written');
  });

  it('keeps the answers on Ctrl-C and continues with them', async () => {
    const interrupted = init(...flags);
    await answer(
      interrupted,
      ['How does the server get the release?', ''],
      ['URL of the folder', 'downloads.example.com/'],
    );
    await interrupted.shows('Host name of the chat UI');
    interrupted.type(keys.interrupt);
    const { status, text } = await interrupted.end();
    expect(status).toBe(130);
    expect(text).toContain(
      'cancelled: nothing was written; the next landfall init offers your answers',
    );
    expect((await stat(draftFile())).mode & 0o777).toBe(0o600);
    const run = init('--ssh-key', key, ...timezone);
    await answer(
      run,
      ['Go on with your answers of', ''],
      ['Host name of the chat UI', ''],
      ['Which TLS certificate', ''],
      ['Email address', ''],
      ['How does the server reach', ''],
      ['Does the server need mirrors', ''],
      ['Hosted providers', ''],
    );
    expect((await run.end()).status).toBe(0);
    const site = await readSite(join(folder, 'mine/site.yaml'));
    expect(site.release).toEqual(['https://downloads.example.com/']);
    await expect(stat(draftFile())).rejects.toThrow('ENOENT');
  });

  it('forgets the answers if the user starts again', async () => {
    const interrupted = init(...flags);
    await answer(interrupted, ['How does the server get the release?', keys.down]);
    await interrupted.shows('Host name of the chat UI');
    interrupted.type(keys.interrupt);
    await interrupted.end();
    const run = init(...flags);
    await answer(run, ['Go on with your answers of', keys.down]);
    await run.shows('How does the server get the release?');
    run.type(keys.interrupt);
    await run.end();
    await expect(stat(draftFile())).rejects.toThrow('ENOENT');
  });

  it('asks for another certificate if the terms are declined', async () => {
    const run = init(...flags, '--release-url', 'push', '--ui-host', 'c.e.org');
    await answer(
      run,
      ['Which TLS certificate', ''],
      ['Can the internet reach port 80', ''],
      ['Do you accept the terms', ''],
    );
    await run.shows("Let's Encrypt requires that you accept");
    await answer(
      run,
      ['Which TLS certificate', keys.down],
      ['Email address', ''],
      ['How does the server reach', ''],
      ['Does the server need mirrors', ''],
      ['Hosted providers', ''],
    );
    expect((await run.end()).status).toBe(0);
    expect((await readSite(join(folder, 'mine/site.yaml'))).tls.mode).toBe('internal');
  });

  it('rejects an existing folder before the first question', async () => {
    await mkdir(join(folder, 'mine'));
    await writeFile(join(folder, 'mine/site.yaml'), 'precious');
    const { status, text } = await init(...flags).end();
    expect(text).toContain('site.yaml already exists');
    expect(text).not.toContain('How does');
    expect(status).toBe(8);
  });

  it('rejects invalid options before the first question', async () => {
    const { status, text } = await init('--email', 'me', '--user', 'root').end();
    expect(text).toMatch(/--user: The value.*--email: The value/s);
    expect(text).not.toContain('How large');
    expect(status).toBe(2);
  });
});

describe('landfall init with a proxy that has a password', () => {
  const upToLogin = async (...args: string[]) => {
    const run = init(...flags, '--release-url', 'push', '--ui-host', '', '--email', '', ...args);
    await answer(run, ['How does the server reach', keys.down], ['URL of the proxy', proxy]);
    await run.shows('The proxy has a password. Where should it be?');
    return run;
  };

  it('writes it for the proxy client, outside of site.yaml', async () => {
    const run = await upToLogin('--tls', 'internal');
    run.type(keys.enter);
    await answer(run, ['Does the server need mirrors', ''], ['Hosted providers', '']);
    const { status, text } = await run.end();
    expect(status).toBe(0);
    expect(text).toContain('install root@<server> --release dist --proxies proxies.yaml');
    expect(await readFile(join(folder, 'mine/site.yaml'), 'utf8')).not.toContain('hunter2');
    expect((await readSite(join(folder, 'mine/site.yaml'))).route.mode).toBe('client');
    const proxies = join(folder, 'mine/proxies.yaml');
    expect((await stat(proxies)).mode & 0o777).toBe(0o600);
    const imported = inTerminal([...landfall, 'route', 'import', proxies], { cwd: folder });
    expect((await imported.end()).text).toContain('1 (1 http)');
  });

  it('writes it to site.yaml with consent, and adds the option to the next commands', async () => {
    const run = await upToLogin('--tls', 'internal');
    run.type(`${keys.down}${keys.down}${keys.enter}`);
    await answer(run, ['Does the server need mirrors', ''], ['Hosted providers', '']);
    const { status, text } = await run.end();
    expect(status).toBe(0);
    expect(text).toContain('route.url contains a password');
    expect(text).toContain('landfall user-data --release dist/*.tar --allow-route-password');
    const site = await readSite(join(folder, 'mine/site.yaml'), { allowRoutePassword: true });
    expect(site.route).toMatchObject({ mode: 'http-proxy', url: proxy });
  });

  it('keeps no password in the draft', async () => {
    const run = await upToLogin('--tls', 'internal');
    run.type(keys.interrupt);
    await run.end();
    expect(await readFile(draftFile(), 'utf8')).toContain('proxy');
    expect(await readFile(draftFile(), 'utf8')).not.toContain('hunter2');
    expect(await readdir(folder)).not.toContain('mine');
  });
});
