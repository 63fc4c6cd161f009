import { beforeAll, expect, it } from 'vitest';
import type { BackupLab } from './backup-lab.ts';

const folder = '/mnt/backup';
const volume = '/var/lib/docker/volumes/landfall_ui-data/_data';
const secretFile = '/root/of-root-only';
/** restic alone, with the key of the server. */
const restic = `restic -r ${folder} --password-file /etc/landfall/backup/server-key`;

/** Tests backups after a fault, in a folder with a small disk of its own, which stays mounted. The tests depend on their order. */
export function itRecoversFromFaults(lab: () => BackupLab): void {
  beforeAll(() => lab().startOver({ kind: 'folder', path: folder }));
  const output = (command: string) => lab().output(command);
  const run = (command: string) => lab().run(command, { limit: 600 });
  /** Makes a backup at the first target, which must succeed without a hand. */
  const expectBackup = async () => {
    const { exitCode, stdout } = await lab().backup();
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  };
  /** Restores the last good backup with restic alone. */
  const expectRestorable = async () => {
    const [{ lastGood }] = (await lab().status()).targets;
    const command = `rm -rf /root/r; ${restic} restore --no-lock ${lastGood.snapshot} --target /root/r`;
    expect(await run(command)).toMatchObject({ exitCode: 0 });
    expect(await output('cat /root/r/backup/ui-data/uploads/*_notes.txt')).toBe(
      await output('cat /etc/debian_version'),
    );
  };
  const failure = async () => {
    const { exitCode, stdout } = await lab().backup();
    expect(exitCode).not.toBe(0);
    return stdout;
  };

  it('stores links as links, no sockets, and a sparse file of 1 GB in time', async () => {
    await output(`mkdir -p ${folder} && mount -t tmpfs -o size=80m none ${folder}`);
    await lab().setUp();
    const make = `import os, socket
os.chdir("${volume}"); os.symlink("${secretFile}", "link"); os.mkfifo("fifo")
socket.socket(socket.AF_UNIX).bind("socket"); open("sparse", "w").truncate(1 << 30)`;
    await output(`echo secret >${secretFile}; chmod 600 ${secretFile}; python3 -c '${make}'`);
    await expectBackup();
    const [{ lastRun }] = (await lab().status()).targets;
    expect(lastRun.took).toBeLessThan(60_000);
    await expectRestorable();
    expect(await output('readlink /root/r/backup/ui-data/link')).toBe(secretFile);
    const names = await output('ls /root/r/backup/ui-data');
    expect(names).not.toMatch(/fifo|socket/);
    await output(`rm ${volume}/sparse ${volume}/link ${volume}/fifo ${volume}/socket`);
  });

  it('names a full target, and stores there again when it has space', async () => {
    await output(`head -c 20000000 /dev/urandom >${volume}/uploads/scan.pdf`);
    await output(`head -c 70000000 /dev/zero >${folder}/other; true`);
    expect(await failure()).toContain(`DISK_FULL: ${folder} is full`);
    await expectRestorable();
    await output(`rm ${folder}/other`);
    await expectBackup();
    await expectRestorable();
  });

  it('says before the pause that the copy does not fit on this server', async () => {
    await output(`truncate -s 8T ${volume}/huge`);
    expect(await failure()).toContain('DISK_FULL: the copy of the chats needs');
    await output(`rm ${volume}/huge`);
    expect(await output('docker inspect -f "{{.State.Paused}}" landfall-ui')).toBe('false');
    await expectBackup();
  });

  it('refuses a second run beside the first', async () => {
    const [one, other] = await Promise.all([lab().backup(), lab().backup()]);
    expect([one.exitCode, other.exitCode].sort()).toEqual([0, 11]);
    expect(`${one.stdout}${other.stdout}`).toContain('ALREADY_RUNNING');
  });

  it('goes on after the repository vanished during a run', async () => {
    await output(`head -c 20000000 /dev/urandom >${volume}/uploads/scan.pdf`);
    const gone = run(
      `until systemctl is-active --quiet landfall-restic.service; do sleep 0.02; done
       umount --lazy ${folder}; mount -t tmpfs -o size=80m none ${folder}`,
    );
    const kept = await output(`mkdir -p /mnt/kept; mount --bind ${folder} /mnt/kept; echo yes`);
    expect(kept).toBe('yes');
    expect(await failure()).toMatch(/BACKUP_(?:MISSING|FAILED)/);
    await gone;
    await output(`umount ${folder}; mount --bind /mnt/kept ${folder}`);
    await expectBackup();
    await expectRestorable();
  });

  it('makes a lost index again, without a hand', async () => {
    await output(`rm ${folder}/index/*`);
    const { exitCode, stdout } = await lab().backup();
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`rebuilding the index of ${folder}`),
    });
    await expectRestorable();
  });

  it('removes no backup while the newest is of the future, and restores none of the future', async () => {
    const [{ lastGood }] = (await lab().status()).targets;
    const tags = `$(${restic} snapshots --json ${lastGood.snapshot} | python3 -c 'import json,sys; print(" ".join("--tag " + t for t in json.load(sys.stdin)[0]["tags"]))')`;
    await output('mkdir -p /backup; cp -a /root/r/backup/. /backup');
    await output(`${restic} backup --time '2038-01-01 00:00:00' ${tags} /backup`);
    const before = Number(await output(`ls ${folder}/snapshots | wc -l`));
    expect((await lab().backup()).stdout).toContain(
      'the clock is or was wrong. No old backup is removed.',
    );
    expect(Number(await output(`ls ${folder}/snapshots | wc -l`))).toBe(before + 1);
    const shown = lab().terminal('restore');
    await shown.shows('backup    ');
    await shown.shows('Type "yes" to restore');
    shown.type('no\r');
    expect((await shown.end()).text).not.toContain('2038');
    await output(
      `${restic} forget $(${restic} snapshots --json | python3 -c 'import json,sys; print([s["short_id"] for s in json.load(sys.stdin) if s["time"].startswith("2038")][0])')`,
    );
  });

  it.each([
    ['a newer release', 's/"version": "0.1.0"/"version": "9.0.0"/', 'BACKUP_RELEASE'],
    ['another format of the data', 's/"dataEpoch": 1/"dataEpoch": 7/', 'BACKUP_RELEASE'],
    ['another number of chats', 's/"chats": 1/"chats": 5/', 'BACKUP_DAMAGED'],
  ])('refuses a backup of %s, and changes nothing', async (_what, edit, code) => {
    await output(
      `cp /root/r/backup/manifest.json /backup/; sed -i '${edit}' /backup/manifest.json`,
    );
    await output(`${restic} backup /backup`);
    const { exitCode, stdout } = await run('landfall restore --yes');
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 11,
      stdout: expect.stringContaining(code),
    });
    expect(await lab().data.found()).toEqual({ chat: true, document: true });
    expect(await output('ls /var/lib/docker/volumes/landfall_ui-data')).not.toContain('restore');
    await output(
      `${restic} forget $(${restic} snapshots latest --json | python3 -c 'import json,sys; print(json.load(sys.stdin)[0]["short_id"])')`,
    );
  });

  it('restores nothing from damaged data, and the last good backup after it', async () => {
    await output(`cp -a ${folder} /root/whole`);
    const pack = `find ${folder}/data -type f -size +1k | head -1`;
    await output(
      `for f in $(find ${folder}/data -type f); do chmod u+w $f; dd if=/dev/urandom of=$f bs=100 seek=1 count=1 conv=notrunc status=none; done; ${pack}`,
    );
    const { exitCode, stdout } = await run('landfall restore --yes');
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 11,
      stdout: expect.stringContaining('BACKUP_DAMAGED'),
    });
    expect(await lab().data.found()).toEqual({ chat: true, document: true });
    await output(`find ${folder} -mindepth 1 -delete; cp -a /root/whole/. ${folder}`);
    expect(await run('landfall restore --yes')).toMatchObject({ exitCode: 0 });
    await expectBackup();
  });
}
