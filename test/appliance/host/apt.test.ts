import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installPackages, missingPackages } from '../../../appliance/host/apt.ts';
import { aptAnswers } from '../answers.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';

/** What was run, without the options that every call of apt has. */
function steps(host: TemporaryHost): string[] {
  return host.ran.map((line) => line.replaceAll(/ -o \S+/g, ''));
}

const files = { 'proc/sys/kernel/random/boot_id': 'now\n' };
const markFile = 'var/lib/landfall/packages-unsettled';

async function install(
  answers: Answers,
  host = TemporaryHost.with(files, { ...aptAnswers, ...answers }),
) {
  const said: string[] = [];
  const error = await installPackages(host, ['ufw'], (line) => said.push(line), 0).catch(
    (reason: unknown) => reason,
  );
  return { host, said, error };
}

const isUpdate = (line: string) => line.endsWith(' update');
const isInstall = (line: string) => line.endsWith(' install --yes ufw');

/** As apt-get(8) prints it: a new package, one that is upgraded, a new one whose settings are there. */
const simulated = `Inst iptables (1.8.11-2 Debian:13.1/stable [amd64])
Inst libc6 [2.41-11] (2.41-12 Debian:13.1/stable [amd64])
Inst ufw (0.36.2-9 Debian:13.1/stable [all])
Conf iptables (1.8.11-2 Debian:13.1/stable [amd64])
`;

describe('packages that are missing', () => {
  it('are those that dpkg does not call installed: removed ones may still be known', async () => {
    const stdout = 'ufw installed\nfail2ban config-files';
    const host = TemporaryHost.with({}, { 'dpkg-query': { code: 1, stdout } });
    expect(await missingPackages(host, ['ufw', 'fail2ban', 'docker.io'])).toEqual([
      'fail2ban',
      'docker.io',
    ]);
  });

  it('are installed after whatever an earlier run left half done', async () => {
    const { host, error } = await install({ 'dpkg-query': 1 });
    expect(error).toBeUndefined();
    expect(steps(host).slice(1)).toEqual([
      'dpkg --configure --pending --force-confold',
      'apt-get install --yes --fix-broken',
      'apt-get update',
      'apt-get install --simulate ufw',
      'apt-get install --yes ufw',
      'sync --file-system / /usr /var /home',
    ]);
  });

  it('are marked with what comes along, and not with what was there, until they are on the disk', async () => {
    const marks: string[] = [];
    const host: TemporaryHost = TemporaryHost.with(files, {
      ...aptAnswers,
      'dpkg-query': 1,
      'dpkg-query --show --showformat=${Package} ${db:Status-Status}\n iptables': {
        code: 1,
        stdout: 'ufw config-files\n',
      },
      'apt-get': (line) => {
        if (isInstall(line)) marks.push(readFileSync(host.path(markFile), 'utf8'));
        return line.includes('--simulate') ? simulated : 0;
      },
    });
    expect(await install({}, host)).toMatchObject({ error: undefined });
    // An owner who took UFW away kept its settings.
    expect(marks).toEqual([`{"boot":"now","packages":["iptables"]}\n`]);
    expect(existsSync(host.path(markFile))).toBe(false);
  });

  it('are installed though dpkg calls them installed, where a power cut may have damaged them', async () => {
    const purge = 'dpkg --purge --force-remove-reinstreq ufw';
    const host: TemporaryHost = TemporaryHost.with(
      { ...files, [markFile]: '{"boot":"before","packages":["ufw"]}' },
      {
        ...aptAnswers,
        [purge]: '',
        'dpkg-query': () => (host.ran.includes(purge) ? 1 : 'ufw installed'),
      },
    );
    await install({}, host);
    expect(host.ran[0]).toBe(purge);
    expect(host.ran.filter(isInstall)).toHaveLength(1);
  });

  it('are waited for while somebody else installs', async () => {
    const { host, error } = await install({ 'dpkg-query': 1, 'dpkg --configure': 2 });
    expect(error).toBeUndefined();
    expect(host.ran.find(isInstall)).toContain('DPkg::Lock::Timeout=600');
  });

  it('cost nothing where there are none', async () => {
    const { host } = await install({ 'dpkg-query': 'ufw installed' });
    expect(host.ran).toHaveLength(1);
  });
});

describe('the lists of packages', () => {
  const read = (host: TemporaryHost) => host.ran.filter(isUpdate).length;
  const twice = async (between: (host: TemporaryHost) => void) => {
    const { host } = await install({ 'dpkg-query': 1 });
    between(host);
    await install({}, host);
    return read(host);
  };

  it('are read once for several installations', async () => {
    expect(await twice(() => {})).toBe(1);
  });

  it('are read again when somebody changed where they come from', async () => {
    const path = 'etc/apt/sources.list.d/new.sources';
    const change = (host: TemporaryHost) => {
      mkdirSync(dirname(host.path(path)), { recursive: true });
      writeFileSync(host.path(path), '');
      const later = new Date(Date.now() + 1000);
      utimesSync(dirname(host.path(path)), later, later);
    };
    expect(await twice(change)).toBe(2);
  });

  it('are read again after an hour', async () => {
    const age = (host: TemporaryHost) => {
      const before = new Date(Date.now() - 2 * 3600_000);
      utimesSync(host.path('run/landfall/packages-read'), before, before);
    };
    expect(await twice(age)).toBe(2);
  });

  it('may stay unread where the packages can be had all the same', async () => {
    const failing: Answers = {
      'dpkg-query': 1,
      'apt-get': (line) => (isUpdate(line) ? 100 : 0),
    };
    const { host, error } = await install(failing);
    expect(error).toBeUndefined();
    expect(existsSync(host.path('run/landfall/packages-read'))).toBe(false);
  });
});

describe('an installation that fails', () => {
  it('is tried again, with the lists read anew', async () => {
    let left = 1;
    const { host, error, said } = await install({
      'dpkg-query': 1,
      'apt-get': (line) => (isInstall(line) && left-- > 0 ? 100 : 0),
    });
    expect(error).toBeUndefined();
    expect(host.ran.filter(isUpdate)).toHaveLength(2);
    expect(said).toContain('apt did not succeed, trying again in 0 s');
  });

  it('ends after three times, with the reason and what to do', async () => {
    const { host, error } = await install({
      'dpkg-query': 1,
      'apt-get': (line) => (isInstall(line) ? 100 : 0),
    });
    expect(host.ran.filter(isInstall)).toHaveLength(3);
    expect(error).toMatchObject({
      code: 'APT_FAILED',
      hint: expect.stringContaining('mirrors.apt'),
      problems: [{ message: expect.stringContaining('install --yes ufw ended with code 100') }],
    });
    // What the owner installs by hand then must not be taken away after a reboot.
    expect(existsSync(host.path(markFile))).toBe(false);
  });

  it('gives the reason that the lists could not be read, where that is why', async () => {
    const { error } = await install({
      'dpkg-query': 1,
      'apt-get': (line) => (isUpdate(line) || isInstall(line) ? 100 : 0),
    });
    expect(error).toMatchObject({
      problems: [{ message: expect.stringContaining('update ended with code 100') }],
    });
  });
});
