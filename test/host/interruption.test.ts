import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StageName } from '../../appliance/stage/stage.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { endingsOf, footprintOf } from '../vm/footprint.ts';
import { Cloud } from './cloud.ts';
import type { FastHost } from './fast-host.ts';
import { HostBundle } from './host-bundle.ts';
import { hostNeeds } from './host-needs.ts';
import { seededRandom, seedOfRun } from './seeded-random.ts';

const given = hostNeeds('debian13', 'stackRegistry', 'composePlugin');
const killer = await readFile(new URL('kill-in-each-stage.py', import.meta.url), 'utf8');

/** About how long each stage takes here, in seconds: its kill comes somewhere in that time. */
const typical: Readonly<Partial<Record<StageName, number>>> = {
  preflight: 0.2,
  route: 0.1,
  users: 0.4,
  ssh: 2,
  firewall: 8,
  ban: 6,
  kernel: 0.6,
  runtime: 12,
  images: 6,
  secrets: 0.01,
  stack: 10,
  tls: 0.2,
  smoke: 0.5,
  report: 0.5,
};

/** What two servers of one user-data differ in: their names and addresses. */
const ownName = /^(?:content|file) .*\/etc\/(?:hostname|hosts|mailname|resolv\.conf)\b/;

/**
 * SIGKILL to the program and all that it started, apt included. That is no power cut: what was
 * written stays written. Power cuts are the true host's. `LANDFALL_TEST_SEED` repeats a run.
 */
given.describe('a first boot that is killed once in every stage', () => {
  let cloud: Cloud;
  let spared: FastHost;
  let killed: FastHost;
  let hits: Record<string, string>;

  beforeAll(async () => {
    cloud = await Cloud.open(given.parts);
    const outsider = await cloud.outsider();
    const bundle = await HostBundle.shipped({
      folder: join(await workFolder(), 'bundle'),
      registry: given.stackRegistry,
      plugin: given.composePlugin,
    });
    const userData = await bundle.userData({
      release: [await cloud.serveFolder(bundle.dist)],
      admin: { ssh_keys: [outsider.publicKey] },
      hosts: { ui: 'chat.example.com' },
    });
    spared = await cloud.boot({ distribution: 'debian13', userData });
    await isUp(spared);
    killed = await cloud.boot({ distribution: 'debian13', userData });
    hits = await killInEveryStage(killed);
    await isUp(killed);
  });
  afterAll(() => cloud?.close());

  it('was killed in every stage', () => {
    expect(Object.keys(hits)).toEqual(Object.keys(typical));
  });

  it('comes up all the same, with every stage ended well', async () => {
    expect(await endingsOf(killed)).toEqual(await endingsOf(spared));
  });

  it('leaves the same server behind', async () => {
    const [one, other] = [await footprintOf(spared), await footprintOf(killed)];
    const without = (lines: string[], others: string[]) =>
      lines.filter((line) => !others.includes(line) && !ownName.test(line));
    expect({ lost: without(one, other), gained: without(other, one) }).toEqual({
      lost: [],
      gained: [],
    });
  });

  it('leaves no undo behind that would act later', async () => {
    expect(await killed.output('find /var/lib/landfall/undo -type f')).toBe('');
    expect(await killed.output('systemctl list-timers --all "landfall-undo*" --no-legend')).toBe(
      '',
    );
  });
});

async function killInEveryStage(host: FastHost): Promise<Record<string, string>> {
  // Systemd waits 30 s before it tries again; nobody has to wait here.
  const folder = '/etc/systemd/system/landfall-boot.service.d';
  await host.output(`mkdir -p ${folder}`);
  await host.put(`${folder}/soon.conf`, '[Service]\nRestartSec=1\n');
  await host.put('/root/killer.py', killer);
  await host.waitFor('systemctl daemon-reload', 60);
  const seed = seedOfRun();
  const random = seededRandom(seed);
  const waits = Object.fromEntries(
    Object.entries(typical).map(([name, seconds]) => [name, random() * seconds]),
  );
  console.log(`LANDFALL_TEST_SEED=${seed}`);
  const command = ['python3', '/root/killer.py', JSON.stringify(waits)];
  const hits = await host.output(command, { limit: 1500 });
  console.log(`meant for, and hit: ${hits}`);
  await host.output(`rm -r ${folder} /root/killer.py && systemctl daemon-reload`);
  return JSON.parse(hits);
}

async function isUp(host: FastHost): Promise<void> {
  await host.waitFor('test -e /var/lib/landfall/installed', 1500);
  await host.waitFor(`grep -q '"state": "done"' /run/landfall/status.json`, 60);
}
