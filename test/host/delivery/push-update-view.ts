import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { inTerminal, keys } from '../../pty/terminal.ts';
import { changedImages } from '../boot/changed-images.ts';
import type { HostBundle } from '../boot/host-bundle.ts';
import type { FastHost } from '../machine/fast-host.ts';
import type { Cloud } from '../network/cloud.ts';
import type { DeliveryLab } from './delivery-lab.ts';

/** Bytes after which a connection is cut: in the check of the head, in the transfer, and behind it. */
const cuts = [20_000, 60_000, 300_000];

/** A server with the release of a bundle, whose administrator has the key of the lab. */
interface PushedServer {
  readonly cloud: Cloud;
  readonly host: FastHost;
  readonly lab: DeliveryLab;
  readonly bundle: HostBundle;
}

/** Tests `landfall push --update` and `landfall site push`. The tests depend on their order. */
export function itPushesUpdates(server: () => PushedServer): void {
  /** Folder of the next release. */
  let next: string;
  /** URLs of the folders of the installed release and of the next one. */
  let urls: { installed: string; next: string };

  beforeAll(async () => {
    const { bundle, cloud } = server();
    next = dirname(await bundle.rebuild('0.7.0', '', changedImages({ gateway: true })));
    urls = {
      installed: await cloud.serveFolder(bundle.dist),
      next: await cloud.serveFolder(next),
    };
  });
  const run = (command: string) => server().host.run(command);
  const push = (...options: string[]) =>
    server().lab.run(server().lab.words('push', 'ops', '--update', '--release', next, ...options));
  const left = async () => (await run('ls /var/lib/landfall/push')).stdout;

  it('names the rollback on the server for a bundle of the installed release', async () => {
    const url = `${urls.installed}landfall-0.1.0-amd64.tar`;
    const { exitCode, stdout } = await run(`landfall update ${url} 2>&1`);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 6 });
    expect(stdout).toContain('0.1.0 is installed already');
    expect(stdout).toContain('sudo landfall update rollback');
  });

  it('describes the update to the bundle of a URL on a server without a channel', async () => {
    const url = `${urls.next}landfall-0.7.0-amd64.tar`;
    const { exitCode, stdout } = await run(`landfall update ${url} --dry-run 2>&1`);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(stdout).toMatch(/restarts +gateway\n/);
    expect(stdout).toContain('only what changed; the chat stays open');
  });

  it('describes the update before it asks, and leaves nothing on the server', async () => {
    await server().lab.leadTo(server().host);
    const { exitCode, stdout, stderr } = await push();
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toMatch(/restarts +gateway\n/);
    expect(stderr).toContain('Add --yes');
    expect(await left()).toBe('');
  });

  it('sends what the server does not have through cuts, and installs it', async () => {
    const proxy = await server().lab.leadTo(server().host, cuts);
    const { exitCode, stdout, stderr } = await push('--yes');
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
    expect(proxy.cuts).toBeGreaterThan(0);
    expect(stderr).toContain('Release 0.7.0 is installed.');
    expect((await run('readlink /opt/landfall/current')).stdout).toContain('0.7.0-amd64');
    expect(await left()).toBe('');
  });

  it('sends nothing to a server that has the release', async () => {
    const { exitCode, stdout } = await push('--yes', '--json');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: '{"state":"installed","version":"0.7.0"}',
    });
  });

  it('rejects the bundle of a file whose release the administrator left', async () => {
    const { exitCode, stdout } = await run('landfall update rollback --yes 2>&1');
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    await server().host.output(`curl -sSfo /root/next.tar ${urls.next}landfall-0.7.0-amd64.tar`);
    const again = await run('landfall update /root/next.tar --yes 2>&1');
    expect(again.exitCode).not.toBe(0);
    expect(again.stdout).toContain('--retry');
  });

  it('goes on after Ctrl-C, and follows the update with the next command', async () => {
    await server().lab.leadTo(server().host);
    // The firewall rejects the sixth connection within 30 seconds.
    await sleep(31_000);
    const words = server().lab.words('push', 'ops', '--update', '--release', next, '--retry');
    const terminal = inTerminal(words, { cwd: server().lab.folder });
    await terminal.shows('Install it now?');
    terminal.type(keys.enter);
    await terminal.shows('preparing');
    terminal.type(keys.interrupt);
    expect((await terminal.end()).status).toBe(130);
    const [followed, pushed] = await Promise.all([run('landfall update 2>&1'), push('--yes')]);
    expect(followed.stdout).toContain('Release 0.7.0 is installed.');
    expect(pushed).toMatchObject({ exitCode: 0 });
    expect((await run('cat /var/lib/landfall/installed')).stdout.trim()).toBe('0.7.0');
    expect(await left()).toBe('');
  });

  it('changes the site of the server with the one of this computer, after a question', async () => {
    await server().lab.leadTo(server().host);
    await sleep(31_000);
    const text = `# Mine.\n${await server().host.output('cat /etc/landfall/site.yaml')}\nlanguage: zh\n`;
    const file = join(server().lab.folder, 'changed.yaml');
    await writeFile(file, text);
    const words = [...server().lab.login('site push', 'ops'), '--site', file];
    const refused = inTerminal(words, { cwd: server().lab.folder });
    await refused.shows('Apply it? [y/N]');
    refused.type(`perhaps${keys.enter}`);
    expect((await refused.end()).text).toContain('Nothing was changed.');
    expect((await run('cat /etc/landfall/site.yaml')).stdout).not.toBe(text);
    const terminal = inTerminal(words, { cwd: server().lab.folder, limit: 300_000 });
    await terminal.shows('Apply it? [y/N]');
    terminal.type(`y${keys.enter}`);
    const { status, text: shown } = await terminal.end();
    expect(status, shown).toBe(0);
    expect(shown).toMatch(/^language +/m);
    expect((await run('cat /etc/landfall/site.yaml')).stdout).toBe(text);
    const again = await server().lab.run([...words, '--yes', '--json']);
    expect(again).toMatchObject({ exitCode: 0, stdout: '{"state":"applied"}' });
    expect(await left()).toBe('');
  });
}
