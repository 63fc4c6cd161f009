import { afterAll, beforeAll, expect, it } from 'vitest';
import { keys } from '../../pty/terminal.ts';
import { addAlerts, type RouteAlerts } from '../commands/route-alerts.ts';
import type { BackupLab } from './backup-lab.ts';

const folder = '/mnt/backup';
const unit = 'landfall-backup-test.service';
const scratch = '/var/lib/landfall/backup/test';
const largest = `find ${folder}/data -type f -printf '%s %p\\n' | sort -n | tail -1 | cut -d' ' -f2`;

/** Tests the tests of backups, and a new password. The tests depend on their order. */
export function itTestsItsBackups(lab: () => BackupLab): void {
  let alerts: RouteAlerts;
  beforeAll(async () => {
    await lab().startOver({ kind: 'folder', path: folder });
    await lab().setUp();
    alerts = await addAlerts(lab().premises);
    await output('landfall backup run');
  });
  afterAll(() => alerts?.close());
  const output = (command: string) => lab().output(command);
  const run = (command: string) => lab().run(command);
  const startTest = () => run(`systemctl reset-failed ${unit}; systemctl start ${unit}`);
  const received = () => alerts.receiver.accepted;
  /** What an attempt to open a repository with a password alone ends with. */
  const opens = async (password: string) => {
    await lab().premises.host.put('/root/word', password);
    const args = `-r ${folder} --no-cache --no-lock --password-file /root/word`;
    return (await run(`restic ${args} snapshots`)).exitCode === 0;
  };

  it('restores the backups of both targets with the unit of the timer', async () => {
    expect(await output('systemctl list-timers --all')).toContain('landfall-backup-test.timer');
    expect(await startTest()).toMatchObject({ exitCode: 0 });
    for (const { lastGood, lastTest, space } of (await lab().status()).targets) {
      expect(lastTest).toMatchObject({ failure: null, snapshot: lastGood.snapshot });
      expect(space.free).toBeGreaterThan(0);
    }
    expect((await run(`ls ${scratch}`)).exitCode).not.toBe(0);
    expect(await output('landfall backup status')).toContain('last restore test');
    expect(received()).toEqual([]);
  });

  it.each([
    ['lost', 'rm'],
    ['damaged', 'dd if=/dev/urandom bs=1000 seek=1 count=1 conv=notrunc status=none of='],
  ])('finds %s data, and sends an alert once', async (_what, damage) => {
    received().length = 0;
    await output(`cp -a ${folder} ${folder}.whole`);
    await output(
      `chmod u+w $(${largest}); ${damage}${damage.endsWith('=') ? '' : ' '}$(${largest})`,
    );
    expect((await startTest()).exitCode).not.toBe(0);
    expect(received()).toEqual([expect.stringContaining(`restore test of ${folder}`)]);
    const [first, second] = (await lab().status()).targets;
    expect(first.lastTest.failure.code).toBe('BACKUP_TEST_FAILED');
    expect(second.lastTest.failure).toBeNull();
    expect((await run(`ls ${scratch}`)).exitCode).not.toBe(0);
    expect((await run('landfall doctor --json')).stdout).toContain('BACKUP_TEST_FAILED');
    const { exitCode, stdout } = await run('landfall backup test');
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 11,
      stdout: expect.stringContaining(`BACKUP_TEST_FAILED: the restore test of ${folder} failed`),
    });
    expect(received()).toHaveLength(1);
    await output(`rm -r ${folder}; mv ${folder}.whole ${folder}`);
    expect(await run('landfall backup test')).toMatchObject({ exitCode: 0 });
    expect(received()).toHaveLength(2);
    expect(received()[1]).toContain(`Working again: restore test of ${folder}`);
  });

  it('removes the files of a test that was killed, with the next run', async () => {
    const killed = lab().premises.host.run(
      `until ls ${scratch}/backup >/dev/null 2>&1; do sleep 0.02; done
       pkill -KILL -f '[l]andfall.mjs backup test'`,
    );
    expect((await run('landfall backup test')).exitCode).not.toBe(0);
    await killed;
    expect((await run(`ls ${scratch}`)).exitCode).toBe(0);
    expect(await run('landfall backup run')).toMatchObject({ exitCode: 0 });
    expect((await run(`ls ${scratch}`)).exitCode).not.toBe(0);
  });

  it('sends an alert when the timer of the backups does not run', async () => {
    received().length = 0;
    const edit = `import json; path = "/var/lib/landfall/backup/state.json"
state = json.load(open(path))
for target in state["targets"].values(): target["lastGood"]["at"] = "2026-01-01T00:00:00.000Z"
json.dump(state, open(path, "w"))`;
    await output(`python3 -c '${edit}'`);
    await alerts.check();
    await alerts.check();
    expect(received()).toHaveLength(1);
    expect(received()[0]).toContain(`Failed: daily backup to ${folder}`);
    await output('landfall backup run');
    expect(received()[1]).toContain(`Working again: daily backup to ${lab().sftp}`);
  });

  it('replaces the password after a wrong group, Ctrl-C and a target that is away', async () => {
    const before = await lab().password();
    const first = lab().terminal('backup key new');
    await first.shows('Type the last group');
    first.type('wrong\r');
    await first.shows('That is not the last group.');
    const next = (await output('cat /etc/landfall/backup/password.new')).trim();
    first.type(keys.interrupt);
    expect((await first.end()).status).toBe(130);
    expect([await opens(before), await opens(next)]).toEqual([true, false]);
    const change = async () => {
      const terminal = lab().terminal('backup key new');
      await terminal.shows('Type the last group');
      terminal.type(`${next.split('-').at(-1)}\r`);
      return await terminal.end();
    };
    await lab().keeper.output('mv /srv/keeper/backups /srv/keeper/away');
    const second = await change();
    expect(second).toMatchObject({ status: 11 });
    // The terminal wraps it.
    expect(second.text.replaceAll(/\s+/g, ' ')).toContain(
      'the earlier password stays valid everywhere',
    );
    expect([await opens(before), await output('cat /etc/landfall/backup/password')]).toEqual([
      true,
      before,
    ]);
    await lab().keeper.output('mv /srv/keeper/away /srv/keeper/backups');
    const third = await change();
    expect(third).toMatchObject({ status: 0 });
    expect(third.text).toContain(next);
    expect([await opens(before), await opens(next)]).toEqual([false, true]);
    expect(await output('landfall backup key show --yes')).toContain(next);
    expect((await run('ls /etc/landfall/backup/password.new')).exitCode).not.toBe(0);
    expect(await run('landfall backup run')).toMatchObject({ exitCode: 0 });
  });
}
