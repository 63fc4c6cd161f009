import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  installPackages,
  missingPackages,
} from '../../../../../appliance/server/host/packages/apt.ts';
import { aptAnswers, policyOf } from '../../../answers.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

/** The commands without the common options of apt. */
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

/** Failures of dpkg, by command prefix. */
const broken: ReadonlyArray<[what: string, Answers]> = [
  ['dpkg cannot configure all', { 'dpkg --configure': 1 }],
  ['another process uses dpkg', { 'dpkg --configure': 2 }],
  ['a package is half installed', { 'dpkg --audit': 'The following packages are only half' }],
];
const isMending = (line: string) => line.endsWith(' install --yes --fix-broken');

describe('missing packages', () => {
  it('counts packages without the state installed as missing', async () => {
    const stdout = 'ufw installed\nfail2ban config-files';
    const host = TemporaryHost.with({}, { 'dpkg-query': { code: 1, stdout } });
    expect(await missingPackages(host, ['ufw', 'fail2ban', 'docker.io'])).toEqual([
      'fail2ban',
      'docker.io',
    ]);
  });

  it('installs missing packages in one run of apt', async () => {
    const { host, error } = await install({ 'dpkg-query': 1 });
    expect(error).toBeUndefined();
    expect(steps(host).slice(1)).toEqual([
      'dpkg --configure --pending --force-confold',
      'dpkg --audit',
      'apt-get update',
      expect.stringMatching(/^dpkg-query --show .*\n$/s),
      expect.stringMatching(/^apt-get .* install --yes ufw$/),
      'sync --file-system / /usr /var /home',
    ]);
  });

  it.each(broken)(
    'installs missing packages after a repair by apt if %s',
    async (_what, answers) => {
      const { host, error } = await install({ 'dpkg-query': 1, ...answers });
      expect(error).toBeUndefined();
      expect(host.ran.filter((line) => isMending(line) || isInstall(line))).toEqual([
        expect.stringContaining('--fix-broken'),
        expect.stringMatching(/ ufw$/),
      ]);
    },
  );

  it('marks missing packages as pending until they are synced to disk', async () => {
    const marks: string[] = [];
    const host: TemporaryHost = TemporaryHost.with(files, {
      ...aptAnswers,
      'dpkg-query': { code: 1, stdout: 'sudo installed\n' },
      'apt-get': (line) => {
        if (isInstall(line)) marks.push(readFileSync(host.path(markFile), 'utf8'));
        return 0;
      },
    });
    expect(await install({}, host)).toMatchObject({ error: undefined });
    expect(marks).toEqual([`{"boot":"now","known":["sudo"]}\n`]);
    expect(existsSync(host.path(markFile))).toBe(false);
  });

  it('syncs packages in the next run after a kill', async () => {
    const mark = { [markFile]: '{"boot":"now","known":[]}' };
    const host = TemporaryHost.with(
      { ...files, ...mark },
      { ...aptAnswers, 'dpkg-query': 'ufw installed' },
    );
    await install({}, host);
    expect(host.ran.at(-1)).toBe('sync --file-system / /usr /var /home');
    expect(existsSync(host.path(markFile))).toBe(false);
  });

  it('reinstalls packages if a power cut may have damaged them', async () => {
    const purge = 'dpkg --purge --force-remove-reinstreq ufw';
    const host: TemporaryHost = TemporaryHost.with(
      {
        ...files,
        [markFile]: '{"boot":"before","known":[]}',
        'var/lib/landfall/packages-coming': '/var/cache/apt/archives/ufw_0.36.2-9_all.deb\n',
      },
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

  it('retries an installation of packages while another process holds the lock', async () => {
    const { host, error } = await install({ 'dpkg-query': 1, 'dpkg --configure': 2 });
    expect(error).toBeUndefined();
    expect(host.ran.find(isInstall)).toContain('DPkg::Lock::Timeout=600');
  });

  it('cause no commands if there are none', async () => {
    const { host } = await install({ 'dpkg-query': 'ufw installed' });
    expect(host.ran).toHaveLength(1);
  });
});

describe('the package lists', () => {
  const read = (host: TemporaryHost) => host.ran.filter(isUpdate).length;
  const twice = async (between: (host: TemporaryHost) => void) => {
    const { host } = await install({ 'dpkg-query': 1 });
    between(host);
    await install({}, host);
    return read(host);
  };

  it('updates the package lists once for several installations', async () => {
    expect(await twice(() => {})).toBe(1);
  });

  it('updates the package lists again after a change of the sources', async () => {
    const path = 'etc/apt/sources.list.d/new.sources';
    const change = (host: TemporaryHost) => {
      mkdirSync(dirname(host.path(path)), { recursive: true });
      writeFileSync(host.path(path), '');
      const later = new Date(Date.now() + 1000);
      utimesSync(dirname(host.path(path)), later, later);
    };
    expect(await twice(change)).toBe(2);
  });

  it.each([
    ['after one hour', -2 * 3600_000],
    ['after an update while the clock was ahead', 24 * 3600_000],
  ])('updates the package lists again %s', async (_when, ms) => {
    const age = (host: TemporaryHost) => {
      const then = new Date(Date.now() + ms);
      utimesSync(host.path('run/landfall/packages-read'), then, then);
    };
    expect(await twice(age)).toBe(2);
  });

  it('need no successful update if the packages are available', async () => {
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
  it('retries a failed installation after another update', async () => {
    let left = 1;
    const { host, error, said } = await install({
      'dpkg-query': 1,
      'apt-get': (line) => (isInstall(line) && left-- > 0 ? 100 : 0),
    });
    expect(error).toBeUndefined();
    // apt may reject a state that dpkg accepts.
    expect(host.ran.filter(isMending)).toHaveLength(1);
    expect(host.ran.filter(isUpdate)).toHaveLength(2);
    expect(said).toContain('apt failed; retrying in 0.0 s');
  });

  it('fails after three attempts with the reason and a hint', async () => {
    const { host, error } = await install({
      'dpkg-query': 1,
      'apt-get': (line) => (isInstall(line) ? 100 : 0),
    });
    expect(host.ran.filter(isInstall)).toHaveLength(3);
    expect(error).toMatchObject({
      code: 'APT_FAILED',
      hint: expect.stringContaining('mirrors.apt'),
      problems: [{ message: expect.stringContaining('install --yes ufw exited with code 100') }],
    });
    // Packages that the administrator installs afterwards must not be removed after a reboot.
    expect(existsSync(host.path(markFile))).toBe(false);
  });

  it.each([
    ['ubuntu', 'universe'],
    ['debian', 'main'],
  ])(
    'names packages that no source has after one attempt, and the component: %s',
    async (id, component) => {
      const host = TemporaryHost.with(
        { ...files, 'etc/os-release': `NAME=x\nID=${id}\n` },
        {
          ...aptAnswers,
          'dpkg-query': 1,
          'apt-get': (line) => (isInstall(line) ? 100 : 0),
          'apt-cache policy ufw': policyOf('ufw', '(none)'),
        },
      );
      const { error } = await install({}, host);
      expect(error).toMatchObject({
        code: 'APT_FAILED',
        message: 'no package source has ufw',
        hint: expect.stringContaining(component),
      });
      expect(host.ran.filter(isInstall)).toHaveLength(1);
      expect(existsSync(host.path('run/landfall/packages-read'))).toBe(false);
    },
  );

  it('does not blame the sources for a package that they have, or whose lists are missing', async () => {
    const { error } = await install({
      'dpkg-query': 1,
      'apt-get': (line) => (isUpdate(line) || isInstall(line) ? 100 : 0),
      'apt-cache policy ufw': '',
    });
    expect(error).toMatchObject({ message: 'installing system packages failed' });
  });

  it('reports a failed update as the reason', async () => {
    const { error } = await install({
      'dpkg-query': 1,
      'apt-get': (line) => (isUpdate(line) || isInstall(line) ? 100 : 0),
    });
    expect(error).toMatchObject({
      problems: [{ message: expect.stringContaining('update exited with code 100') }],
    });
  });
});
