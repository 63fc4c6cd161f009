import { expect, it } from 'vitest';
import { startOnServer } from '../commands/start-on-server.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { printFigure, useUpdatedServer } from './updated-server.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'serverBundle');

/** The tests depend on their order: each release follows the one before it. */
given.describe(`an update of ${distribution}`, () => {
  const server = useUpdatedServer(given, distribution);
  const output = (command: string) => server().output(command);
  /** Files of the images in the folder of a release. */
  const blobs = async (version: string) =>
    (await output(`ls /opt/landfall/releases/${version}-amd64/blobs/sha256`)).split('\n');
  /** Prints how long each state of the last transaction took. */
  const printTimes = async (name: string) => {
    const lines = (await output('cat /run/landfall/update.jsonl')).split('\n');
    const begins = lines.map((line) => JSON.parse(line)).filter(({ text }) => !text);
    const times = begins.map(({ at, state }, index) => {
      const end = Date.parse(begins[index + 1]?.at ?? at);
      return `${state} ${((end - Date.parse(at)) / 1000).toFixed(1)}`;
    });
    printFigure(`${name}: ${times.join(', ')} s`);
  };
  const started = () =>
    output(
      "docker inspect --format '{{.Name}} {{.State.StartedAt}}' landfall-ui landfall-engine landfall-tinyproxy",
    );

  it('says what it would do, and does nothing with --dry-run or without a yes', async () => {
    await server().lab.build('0.2.0', { gateway: true });
    await server().lab.sign('release');
    const dry = await server().lab.run('landfall update --dry-run');
    expect(dry.stdout).toMatch(/^3 restart +only what changed; the chat stays open$/m);
    const asked = await server().lab.during(async () => {
      const terminal = startOnServer(given.dependencies, server().premises.host, 'update');
      await terminal.shows('Install it now? [y/N]');
      terminal.type('n\r');
      return await terminal.end();
    });
    expect(asked).toMatchObject({
      status: 0,
      text: expect.stringContaining('Nothing was changed.'),
    });
    expect(await server().current()).toBe('releases/0.1.0-amd64');
  });

  it('exports the chat and the document of before', async () => {
    const { stdout } = await server().lab.run('landfall export /root/export --json');
    expect(JSON.parse(stdout)).toMatchObject({ chats: 1, documents: 1, problems: [] });
    const account = '/root/export/ops@localhost';
    expect(await output(`cat ${account}/chats/*.md`)).toContain('\n\nremember the milk\n');
    expect(await output(`cat ${account}/documents/notes.txt`)).toBe(
      await output('cat /etc/debian_version'),
    );
    expect(await output('stat -c %a /root/export')).toBe('700');
    expect(await output('ls -d /root/export*')).toBe('/root/export');
  });

  it('replaces only the gateway, with at most five seconds without an answer', async () => {
    const before = await started();
    // As the disk plan of a small server does after Docker has imported the images.
    await output('rm -r /opt/landfall/releases/0.1.0-amd64/blobs');
    const { exitCode, stdout, visit } = await server().update('landfall update --yes');
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(await server().current()).toBe('releases/0.2.0-amd64');
    expect((await blobs('0.2.0')).length).toBeLessThanOrEqual(4);
    expect(await started()).toBe(before);
    expect(visit.page).toBeNull();
    printFigure(`gateway alone: ${visit.away.toFixed(1)} s without an answer`);
    expect(visit.away).toBeLessThan(5);
    expect(JSON.parse(await output('cat /etc/landfall/boot.json'))).toMatchObject({
      version: '0.2.0',
    });
    await server().lab.remove('0.2.0');
  });

  it('goes back from a release that loses chats, and keeps them', async () => {
    await server().goesBackFrom('0.6.0', 'loses-chats', 'UPDATE_FAILED');
  });

  it('closes the server for at most a minute, shows a page, and keeps chats and documents', async () => {
    await server().lab.build('0.8.0', { ui: 'next' });
    await server().lab.sign('release');
    const port = () =>
      server().premises.host.run('runuser -u ops -- curl -sS -m 2 http://127.0.0.1:3000/health');
    expect((await port()).exitCode).toBe(0);
    await output('rm -f /run/landfall/update.jsonl');
    const closed = server().premises.host.run(
      'until grep -q switching /run/landfall/update.jsonl; do sleep 0.1; done; runuser -u ops -- curl -sS -m 2 http://127.0.0.1:3000/health',
    );
    // Docker requests all layers, and those that the server does not have are fetched.
    await output('rm -r /var/lib/docker/image/*/distribution/diffid-by-digest');
    const { exitCode, stdout, visit } = await server().update('landfall update --yes');
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect((await blobs('0.8.0')).length).toBeGreaterThan(4);
    expect((await closed).exitCode).toBe(7);
    expect((await port()).exitCode).toBe(0);
    expect(visit.page).toEqual(['30', expect.stringMatching(/being updated[\s\S]*正在更新/)]);
    printFigure(`next: ${visit.away.toFixed(1)} s without the chat`);
    await printTimes('update');
    expect(visit.away).toBeLessThan(60);
    expect(await server().data.found()).toEqual({ chat: true, document: true });
    expect(await output('ls /opt/landfall/releases')).toBe('0.2.0-amd64\n0.8.0-amd64');
    expect(await output('systemctl is-enabled landfall-update.service || true')).not.toContain(
      'enabled',
    );
    await server().lab.remove('0.8.0');
  });

  it('goes back to the earlier release only with the chats that it can read', async () => {
    const refused = await server().premises.host.run('landfall update rollback --yes 2>&1');
    expect(refused.stdout).toContain('landfall update rollback --restore-data');
    const terminal = startOnServer(
      given.dependencies,
      server().premises.host,
      'update rollback --restore-data',
    );
    await terminal.shows('Type "yes"');
    terminal.type('yes\r');
    const ended = await terminal.end();
    expect(ended).toMatchObject({ status: 0, text: expect.stringContaining('0.2.0 is installed') });
    expect(await server().current()).toBe('releases/0.2.0-amd64');
    expect(await server().data.found()).toEqual({ chat: true, document: true });
    expect(ended.text).not.toContain('new release');
    expect(await output('landfall update history')).toMatch(/0\.8\.0 +0\.2\.0 +went back/);
    await printTimes('rollback');
  });
});
