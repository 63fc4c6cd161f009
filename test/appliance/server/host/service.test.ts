import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inBoth } from '#contract/text/language.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import {
  ensureEnabled,
  install,
  isInPlace,
  isPresent,
  missing,
  remove,
  type Service,
  unitFileOf,
} from '../../../../appliance/server/host/service.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const name = 'example.service';
const config = 'etc/landfall/example.conf';
const dropIn = 'etc/systemd/system/other.service.d/example.conf';
const example = (text: string) =>
  ({
    files: [
      { path: config, text, mode: 0o600 },
      { path: dropIn, text: `drop-in ${text}` },
      { path: unitFileOf(name), text: `unit ${text}` },
    ],
    units: [{ name, restart: 'always' as const }],
  }) satisfies Service;
const answers: Answers = { 'dpkg-query': 'hello installed\n', systemctl: '' };
const host = (more: Answers = {}, files = {}) => TemporaryHost.with(files, { ...answers, ...more });

describe('install', () => {
  it('writes files, reloads systemd, and enables and starts units, once', async () => {
    const server = host();
    await install(server, example('one'));
    expect(server.ran.slice(-3)).toEqual([
      'systemctl daemon-reload',
      `systemctl enable --quiet ${name}`,
      `systemctl restart ${name}`,
    ]);
    server.ran.length = 0;
    await install(server, example('one'));
    expect(server.ran.filter((line) => !line.includes(' is-'))).toEqual([]);
  });

  it.each(['is-active', 'is-enabled'])('starts a unit again for which %s fails', async (what) => {
    const server = host({ [`systemctl ${what}`]: 3 });
    await install(server, example('one'));
    expect(await missing(server, example('one'))).toEqual([`start ${name}`]);
    await install(server, example('one'));
    expect(server.ran.filter((line) => line.includes(' restart '))).toHaveLength(2);
  });

  it('enables a unit for the next boot without starting it', async () => {
    const server = host({ 'systemctl is-enabled': 1 });
    await install(server, { ...example('one'), units: [{ name }] });
    expect(server.ran.at(-1)).toBe(`systemctl enable --quiet ${name}`);
    expect(server.ran.join()).not.toContain('is-active');
  });

  it('keeps a unit that waits for its address', async () => {
    const inactive = { 'systemctl is-active': 3, 'systemctl show': 'ActiveState=activating\n' };
    const service: Service = { units: [{ name, restart: 'always', mayWait: true }] };
    expect(await isInPlace(host(inactive), service)).toBe(true);
    expect(
      await isInPlace(host({ ...inactive, 'systemctl show': 'ActiveState=failed\n' }), service),
    ).toBe(false);
  });

  it('places no file of a service if one of them is rejected', async () => {
    const verify = async () => {
      throw new Error('invalid');
    };
    const { files } = example('one');
    const server = host();
    const bad = { files: [...files, { path: 'etc/bad', text: '', verify }] };
    await expect(install(server, bad)).rejects.toThrow('invalid');
    expect(await isPresent(server, bad)).toBe(false);
  });

  it('edits a file of others and keeps its permissions', async () => {
    const server = host({}, { 'etc/own': 'a\n' });
    const add = (current = '') => (current.includes('b') ? current : `${current}b\n`);
    const service = { files: [{ path: 'etc/own', text: add }] };
    expect(await missing(server, service)).toEqual(['write /etc/own']);
    await install(server, service);
    expect(readFileSync(server.path('etc/own'), 'utf8')).toBe('a\nb\n');
    expect(await missing(server, service)).toEqual([]);
  });
});

describe('missing', () => {
  it('names packages, then the summary of files and units', async () => {
    const service = {
      ...example('one'),
      packages: ['hello', 'microsocks'],
      summary: inBoth('start it'),
    };
    expect(await missing(host(), service)).toEqual(['install microsocks', 'start it']);
  });

  it('names each setting once', async () => {
    const sets = inBoth('the proxy for packages');
    const files = ['etc/a', 'etc/b'].map((path) => ({ path, sets, text: 'x' }));
    expect(await missing(host(), { files })).toEqual([`set ${sets.en}`]);
    const gone = [{ path: 'etc/a', sets, text: undefined }];
    const server = host({}, { 'etc/a': '' });
    expect(await missing(server, { files: gone })).toEqual([`remove ${sets.en}`]);
  });
});

describe('remove', () => {
  it('stops the unit, and removes files and empty folders of drop-ins', async () => {
    const server = host();
    await install(server, example('one'));
    server.ran.length = 0;
    const unwanted = { ...example('one'), unwanted: inBoth('remove it') };
    expect(await missing(server, unwanted)).toEqual(['remove it']);
    await install(server, unwanted);
    expect(server.ran).toEqual([
      `systemctl disable --now --quiet ${name}`,
      'systemctl daemon-reload',
    ]);
    expect(existsSync(server.path(dirname(dropIn)))).toBe(false);
    expect(await missing(server, unwanted)).toEqual([]);
    server.ran.length = 0;
    await remove(server, unwanted);
    expect(server.ran).toEqual([]);
  });

  it('keeps the folder of a drop-in of another service', async () => {
    const other = `${dirname(dropIn)}/own.conf`;
    const server = host({}, { [other]: '' });
    await install(server, example('one'));
    await remove(server, example('one'));
    expect(existsSync(server.path(other))).toBe(true);
  });
});

/** A server that loses power at a step; systemd reads its unit files only at a reload or a boot. */
class FragileHost extends Host {
  readonly systemd: Systemd;
  steps = Number.POSITIVE_INFINITY;

  constructor(root: string) {
    const systemd = new Systemd(join(root, unitFileOf(name)));
    super(root, async (_program, args) => {
      this.#step();
      return { code: systemd.run(args) ? 0 : 1, stdout: '', stderr: '' };
    });
    this.systemd = systemd;
  }

  override path(...parts: readonly string[]): string {
    this.#step();
    return super.path(...parts);
  }

  #step(): void {
    this.steps -= 1;
    if (this.steps < 0) throw new Error('power cut');
  }
}

class Systemd {
  readonly #file: string;
  #loaded: string | undefined;
  #isEnabled = false;
  /** The text of the unit that runs. */
  running: string | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  boot(): void {
    this.#reload();
    this.running = this.#isEnabled ? this.#loaded : undefined;
  }

  run([verb]: readonly string[]): boolean {
    if (verb === 'daemon-reload') this.#reload();
    if (verb === 'enable') this.#isEnabled = this.#loaded !== undefined;
    if (verb === 'restart') this.running = this.#loaded;
    if (verb === 'disable') {
      this.#isEnabled = false;
      this.running = undefined;
    }
    if (verb === 'is-active') return this.running !== undefined;
    return verb === 'is-enabled' ? this.#isEnabled : true;
  }

  #reload(): void {
    this.#loaded = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : undefined;
  }
}

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

async function fragile(before: Service | undefined): Promise<FragileHost> {
  const root = mkdtempSync(join(tmpdir(), 'landfall-service-'));
  roots.push(root);
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc/own'), '');
  const server = new FragileHost(root);
  if (before) await install(server, before);
  return server;
}

describe('a power cut at any step', () => {
  it.each<[string, Service | undefined, Service]>([
    ['the first installation', undefined, example('new')],
    ['a change', example('old'), example('new')],
    ['a removal', example('old'), { ...example('old'), unwanted: inBoth('remove it') }],
  ])('is repaired by the next run: %s', async (_case, before, after) => {
    const reached = new Set<boolean>();
    for (let steps = 0; !reached.has(true); steps += 1) {
      const server = await fragile(before);
      server.steps = steps;
      reached.add(
        await install(server, after).then(
          () => true,
          () => false,
        ),
      );
      server.steps = Number.POSITIVE_INFINITY;
      server.systemd.boot();
      await install(server, after);
      expect(await missing(server, after)).toEqual([]);
      const isUnwanted = after.unwanted !== undefined;
      expect(server.systemd.running).toBe(isUnwanted ? undefined : 'unit new');
      expect(await isPresent(server, after)).toBe(!isUnwanted);
    }
  });
});

describe('ensureEnabled', () => {
  it.each([
    ['enables a disabled unit', 1, ['systemctl enable --quiet docker.service']],
    ['keeps an enabled unit', 0, []],
  ])('%s', async (_what, code, ran) => {
    const host = TemporaryHost.with(
      {},
      { 'systemctl is-enabled': code, 'systemctl enable --quiet docker.service': '' },
    );
    await ensureEnabled(host, 'docker.service');
    expect(host.ran.slice(1)).toEqual(ran);
  });
});
