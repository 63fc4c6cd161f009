import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../appliance/server/progress/status.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { tinyGguf } from '../stand-ins/engine/gguf/tiny-gguf.ts';
import { comeUp } from './come-up.ts';
import { roundsOfCuts } from './command/cuts.ts';
import { diskFolder } from './command/folder.ts';
import { endingsOf, footprintOf } from './footprint.ts';
import { cutDuring } from './power-cuts.ts';
import { Rig, vm } from './rig.ts';
import type { TrueServer } from './true-server.ts';

/** Same name and user-data, so that two servers do not differ by their configuration. */
const order = { name: 'box', disk: 16, memory: 4096, site: { tls: { mode: 'internal' } } };
/** Large enough that writing it takes seconds, for a power cut meanwhile. Bytes. */
const modelSize = 256 * 2 ** 20;
const longAgo = new Date('2024-02-29T12:00:00Z');
const minute = 60;

vm.describe('a first boot on a machine with its own kernel, clock and disk', async () => {
  const folder = await workFolder(diskFolder());
  let rig: Rig;
  let server: TrueServer;
  let status: Status;
  let footprint: string[];
  let endings: Record<string, string>;

  beforeAll(async () => {
    const gguf = tinyGguf();
    const bytes = Buffer.concat([gguf, Buffer.alloc(modelSize - gguf.length)]);
    rig = await Rig.open(join(folder, 'rig'), 'shipped', [{ name: 'tiny:1b', bytes }]);
    server = await rig.server({ ...order, folder: join(folder, 'reference') });
    await server.powerOn({ clock: longAgo });
    status = await comeUp(server);
    [footprint, endings] = [await footprintOf(server), await endingsOf(server)];
    console.log(await server.output('cat /var/lib/landfall/report.txt'));
  });
  afterAll(() => rig?.close());

  const output = (command: string) => server.output(command);

  it('finishes every stage', () => {
    expect(status.stages.map(({ state }) => state)).not.toContain('failed');
  });

  it('corrects a clock that was years behind', async () => {
    const there = Number(await output('date +%s'));
    expect(Math.abs(there - Date.now() / 1000)).toBeLessThan(5 * minute);
  });

  it('keeps the clock synchronized if there is a time server', async () => {
    expect(await output('timedatectl show --property=NTP --value')).toBe('yes');
  });

  it('enables unattended upgrades with the timers of the system', async () => {
    expect(await output('apt-config dump APT::Periodic::Unattended-Upgrade')).toContain('"1"');
    const timers = 'apt-daily.timer apt-daily-upgrade.timer';
    expect(await output(`systemctl is-active ${timers}`)).toBe('active\nactive');
  });

  it('applies the resource limits of containers', async () => {
    const promised = await output(
      `docker ps -q | xargs docker inspect --format '{{.Id}} {{.HostConfig.Memory}} {{.State.Pid}}'`,
    );
    for (const line of promised.split('\n')) {
      const [id = '', memory] = line.split(' ');
      const held = await output(`cat /sys/fs/cgroup/system.slice/docker-${id}.scope/memory.max`);
      expect({ id, held }).toEqual({ id, held: memory === '0' ? 'max' : memory });
    }
  });

  it('confines containers with AppArmor', async () => {
    const pids = await output(`docker ps -q | xargs docker inspect --format '{{.State.Pid}}'`);
    for (const pid of pids.split('\n')) {
      expect(await output(`cat /proc/${pid}/attr/current`)).toMatch(/docker-default \(enforce\)/);
    }
  });

  describe('before a reboot', () => holdsOverReboots());

  describe('after a reboot', () => {
    beforeAll(async () => {
      await server.reboot();
      await server.waitFor('systemctl is-system-running --wait');
    });

    holdsOverReboots();

    it('does not run a first boot again', async () => {
      const journal = await server.journal('landfall-boot.service');
      expect(journal).not.toContain('landfall: fetching');
    });

    it('starts every container again after a reboot', async () => {
      const before = footprint.filter((line) => line.startsWith('container '));
      await server.waitFor("! docker ps --all --format '{{.State}}' | grep -qv running");
      const now = (await footprintOf(server)).filter((line) => line.startsWith('container '));
      expect(now).toEqual(before);
    });
  });

  /** Kernel state that a reboot clears. */
  function holdsOverReboots(): void {
    it('leaves no failed unit after a first boot', async () => {
      expect(await output('systemctl --failed --plain --no-legend')).toBe('');
    });

    it('swaps', async () => {
      expect(await output('swapon --show=NAME --noheadings')).not.toBe('');
    });

    it('applies every configured sysctl', async () => {
      const settings = await output('cat /etc/sysctl.d/*landfall*');
      const wanted = [...settings.matchAll(/^-?([a-z0-9_./-]+)\s*=\s*(.*)$/gim)];
      expect(wanted.length).toBeGreaterThan(5);
      for (const [, key = '', value = ''] of wanted) {
        const now = await output(`sysctl -n ${key}`);
        expect(`${key} = ${now.replaceAll(/\s+/g, ' ')}`).toBe(`${key} = ${value.trim()}`);
      }
    });

    it('writes no core dumps', async () => {
      const { stdout } = await rig.administrator.ssh(server, { user: 'ops', command: 'ulimit -c' });
      expect(stdout).toBe('0');
    });

    it('activates both firewalls', async () => {
      expect(await output('ufw status')).toContain('Status: active');
      expect(await output('nft list tables')).toContain('landfall');
    });

    it("accepts the administrator's key, with sudo", async () => {
      const command = 'id -un && sudo -n id -un';
      const ran = await rig.administrator.ssh(server, { user: 'ops', command });
      expect(ran).toMatchObject({ exitCode: 0, stdout: 'ops\nroot' });
    });

    it.each([
      ['root', 'key'],
      ['root', { password: 'letmein' }],
      ['ops', { password: 'letmein' }],
    ] as const)('rejects %s with %j', async (user, offer) => {
      const ran = await rig.administrator.ssh(server, { user, with: offer });
      expect(ran).toMatchObject({ exitCode: 255 });
      expect(ran.stderr).toContain('Permission denied (publickey)');
    });
  }

  describe('with a power cut', () => {
    // Two servers in parallel exceed the machine.
    beforeAll(() => server.powerOff());

    const rounds = roundsOfCuts().map((during) => ({ during, names: during.join(', ') }));
    describe.each(rounds)('during $names', ({ during }) => {
      let cut: TrueServer;

      beforeAll(async () => {
        cut = await rig.server({ ...order, folder: join(folder, during.join('-')) });
        for (const stage of during) await cutDuring(cut, stage, status);
        await cut.powerOn();
        await comeUp(cut);
      });
      afterAll(() => cut?.remove());

      it('finishes the same stages', async () => {
        expect(await endingsOf(cut)).toEqual(endings);
      });

      it('results in the same server', async () => {
        expect(await footprintOf(cut)).toEqual(footprint);
      });

      it('leaves no failed unit', async () => {
        expect(await cut.output('systemctl --failed --plain --no-legend')).toBe('');
      });
    });
  });
});
