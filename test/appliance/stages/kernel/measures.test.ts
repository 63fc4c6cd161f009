import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  coreDumps,
  journalCap,
  journalFile,
  modulesFile,
  permissions,
  protocols,
} from '../../../../appliance/stages/kernel/stage.ts';
import { timeKeeping } from '../../../../appliance/stages/kernel/time.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

function server(files: Record<string, string> = {}, answers: Answers = {}) {
  const host = TemporaryHost.with(files, answers);
  return { host, context: contextFor(host) };
}

describe('the journal of the system', () => {
  const restart = { 'systemctl restart systemd-journald': '', 'journalctl --flush': '' };

  it('makes the journal limited and persistent in one run', async () => {
    const { host, context } = server({}, restart);
    expect(await journalCap.check(context)).toEqual([
      'make the journal persistent, with at most 500 MB',
    ]);
    await journalCap.apply(context);
    expect(await journalCap.check(context)).toEqual([]);
    expect(host.ran).toContain('systemctl restart systemd-journald');
    const effective = `#SystemMaxUse=\n${readFileSync(host.path(journalFile), 'utf8')}`;
    const proved = server({}, { 'systemd-analyze': effective });
    expect(await journalCap.prove(proved.context)).toEqual([]);
  });

  it('reports a later file that overrides the limit of the journal', async () => {
    const { host, context } = server({}, restart);
    await journalCap.apply(context);
    const effective = `${readFileSync(host.path(journalFile), 'utf8')}SystemMaxUse=20G\n`;
    const { context: after } = server({}, { 'systemd-analyze': effective });
    expect(await journalCap.prove(after)).toEqual([
      expect.objectContaining({ message: 'journald setting SystemMaxUse is 20G, not 500M' }),
    ]);
  });
});

describe('the clock', () => {
  const inactive = { 'systemctl is-active': 3 };

  it('keeps an existing time service', async () => {
    const { context } = server({}, { ...inactive, 'systemctl is-active --quiet chrony': 0 });
    expect(await timeKeeping.check(context)).toEqual([]);
  });

  // apt would remove chrony when it installs another time service.
  it('keeps its time service when all settings are applied again', async () => {
    const { host, context } = server({}, { ...inactive, 'systemctl is-active --quiet chrony': 0 });
    await timeKeeping.apply(context);
    expect(host.ran.filter((line) => !line.includes('is-active'))).toEqual([]);
  });

  it('synchronises the clock with systemd-timesyncd if there is no time service', async () => {
    const { host, context } = server(
      {},
      {
        ...inactive,
        'dpkg-query': 'systemd-timesyncd installed',
        'systemctl daemon-reload': '',
        'systemctl enable --quiet systemd-timesyncd': '',
        'systemctl restart systemd-timesyncd': '',
      },
    );
    expect(await timeKeeping.check(context)).toEqual([
      'synchronise the clock with systemd-timesyncd',
    ]);
    await timeKeeping.apply(context);
    expect(host.ran).toContain('systemctl restart systemd-timesyncd');
    expect(await timeKeeping.prove(context)).toHaveLength(1);
  });

  it('warns about a clock that is not synchronised', async () => {
    const { context } = server({}, { 'systemctl is-active': 0, timedatectl: 'no' });
    expect(await timeKeeping.prove(context)).toEqual([]);
    expect(context.warned).toEqual([expect.stringContaining('123/udp')]);
  });
});

describe('core dumps', () => {
  const collector = 'systemctl is-enabled --quiet apport.service';
  const stop = 'systemctl disable --now';

  it('disables core dumps, also those of apport on Ubuntu', async () => {
    const { host, context } = server({}, { [collector]: 0, [`${stop} apport.service`]: '' });
    await coreDumps.apply(context);
    expect(host.ran).toContain(`${stop} apport.service`);
    expect(readFileSync(host.path('etc/security/limits.d/90-landfall.conf'), 'utf8')).toContain(
      '* hard core 0\n',
    );
  });

  it('need no change after the first run', async () => {
    const { host, context } = server({}, { [collector]: 1 });
    expect(await coreDumps.check(context)).toHaveLength(1);
    await coreDumps.apply(context);
    expect(await coreDumps.check(context)).toEqual([]);
    expect(host.ran.join()).not.toContain('disable');
  });

  it.each([
    ['0', 0],
    ['unlimited', 1],
  ])('verifies the limit of core dumps with that of a login: %s', async (limit, problems) => {
    const { context } = server({}, { runuser: `${limit}\n` });
    expect(await coreDumps.prove(context)).toHaveLength(problems);
  });
});

describe('unused protocols', () => {
  it('cannot be loaded by modprobe', async () => {
    const { host, context } = server();
    expect(await protocols.check(context)).toHaveLength(1);
    await protocols.apply(context);
    expect(await protocols.check(context)).toEqual([]);
    const config = readFileSync(host.path(modulesFile), 'utf8');
    expect(await protocols.prove(server({}, { modprobe: config }).context)).toEqual([]);
    expect(await protocols.prove(server({}, { modprobe: '' }).context)).toHaveLength(4);
  });
});

describe('files of root', () => {
  it('get restricted permissions; stricter ones are kept', async () => {
    const { host, context } = server({ 'etc/crontab': '', 'etc/ssh/sshd_config': '' });
    mkdirSync(host.path('etc/cron.d'));
    chmodSync(host.path('etc/crontab'), 0o644);
    chmodSync(host.path('etc/cron.d'), 0o755);
    chmodSync(host.path('etc/ssh/sshd_config'), 0o400);
    expect(await permissions.check(context)).toEqual([
      'restrict the permissions of /etc/crontab, /etc/cron.d',
    ]);
    expect(await permissions.prove(context)).toHaveLength(2);
    await permissions.apply(context);
    const mode = (path: string) => statSync(host.path(path)).mode & 0o777;
    expect([mode('etc/crontab'), mode('etc/cron.d'), mode('etc/ssh/sshd_config')]).toEqual([
      0o600, 0o700, 0o400,
    ]);
    expect(await permissions.prove(context)).toEqual([]);
  });
});
