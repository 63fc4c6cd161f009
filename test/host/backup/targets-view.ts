import { beforeAll, expect, it } from 'vitest';
import { HttpProxy } from '../../faulty-server/http-proxy.ts';
import { keys } from '../../pty/terminal.ts';
import { storeKey } from '../../stand-ins/object-store/object-store.ts';
import type { BackupLab } from './backup-lab.ts';

/** Files of data in the bucket. */
const data = /^PUT \/bucket\/landfall\/data\//;

/** Tests backups in a bucket and on an SFTP server. The tests depend on their order. */
export function itStoresAtEveryTarget(lab: () => BackupLab): void {
  beforeAll(() => lab().startOver({ kind: 's3' }));
  const setSecret = (name: string, input: string) =>
    lab().output(`landfall secret set ${name}`, { input });
  /** Makes a backup, which must succeed at both targets. */
  const expectBackup = async () => {
    const { exitCode, stdout } = await lab().backup();
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(await failures()).toEqual({ s3: undefined, sftp: undefined });
  };
  /** Returns the code of the failure of the last run at each target. */
  const failures = async () => {
    const [s3, sftp] = (await lab().status()).targets;
    return { s3: s3.lastRun.failure?.code, sftp: sftp.lastRun.failure?.code };
  };

  it('names the secret of a bucket that is not set', async () => {
    const { status, text } = await lab().terminal('backup init').end();
    expect(status).not.toBe(0);
    expect(text).toContain('BACKUP_ACCESS: the secret backup-s3-id is not set');
  });

  it('sets up a bucket that does not exist and an SFTP server on a terminal', async () => {
    await setSecret('backup-s3-id', storeKey.id);
    await setSecret('backup-s3-secret', storeKey.secret);
    const run = lab().terminal('backup init');
    await run.shows(`Created the repository at ${lab().bucket.target.url}.`);
    await run.shows('The key of this server');
    await lab().authorise();
    run.type('y\r');
    await run.shows(`Created the repository at ${lab().sftp}.`);
    await run.shows('Type the last group');
    run.type(`${(await lab().password()).split('-').at(-1)}\r`);
    expect(await run.end()).toMatchObject({ status: 0 });
  });

  it('stores a backup at both targets', async () => {
    await expectBackup();
    expect(await lab().keeper.output(`ls ${lab().keeper.folder}/snapshots | wc -l`)).toBe('1');
    expect([...lab().bucket.store.objects.keys()].join('\n')).toContain('landfall/snapshots/');
  });

  it('continues a backup after the connection to the bucket was cut', async () => {
    const { store } = lab().bucket;
    await lab().upload();
    const cut = store.cut({ of: data, bytes: 3_000_000 }).then(() => store.reconnect());
    await expectBackup();
    await cut;
  });

  it('needs no help after Ctrl-C while the bucket is away, and after a killed SFTP session', async () => {
    const { store } = lab().bucket;
    await lab().upload();
    const cut = store.cut({ of: data, bytes: 3_000_000 });
    const run = lab().terminal('backup run');
    await cut;
    run.type(keys.interrupt);
    expect(await run.end()).toMatchObject({ status: 130 });
    store.reconnect();
    const killed = lab().keeper.cutWithinFile();
    // Usually it ends at once, but sometimes restic does not notice that ssh has ended (restic#1364).
    const { exitCode, stdout } = await lab().backup({ limit: 1200 });
    await killed;
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 11,
      stdout: expect.stringContaining(`BACKUP_FAILED: restic failed at ${lab().sftp}`),
    });
    expect(await failures()).toEqual({ s3: undefined, sftp: 'BACKUP_FAILED' });
    await expectBackup();
  });

  it('rejects another secret of the bucket and another host key, until both are corrected', async () => {
    await setSecret('backup-s3-secret', 'another');
    await lab().keeper.changeHostKey();
    const { exitCode, stdout } = await lab().backup();
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 11 });
    const { url } = lab().bucket.target;
    expect(stdout).toContain(`${url} rejects the login of this server`);
    expect(stdout).toContain(`${lab().sftp} has another host key than before`);
    expect(await failures()).toEqual({ s3: 'BACKUP_ACCESS', sftp: 'BACKUP_ACCESS' });
    await setSecret('backup-s3-secret', storeKey.secret);
    const run = lab().terminal('backup init');
    await run.shows(`The host key of ${lab().keeper.target.host}:`);
    await run.shows(await lab().keeper.fingerprint());
    await run.shows('[y/N]');
    run.type('y\r');
    await run.shows(`The repository at ${lab().sftp} is ready.`);
    expect(await run.end()).toMatchObject({ status: 0 });
    await expectBackup();
  });

  it('connects to the SFTP server through the proxy of the route, with its password', async () => {
    const { keeper, premises } = lab();
    const { host } = keeper.target;
    const login = 'me:secret';
    const proxy = await HttpProxy.start({ login, names: { [`${host}`]: keeper.addresses.v4 } });
    const address = await premises.cloud.forward(new URL(proxy.url).host);
    const before = await lab().output('cat /etc/landfall/site.json');
    const route = {
      mode: 'http-proxy',
      ...{ url: `http://${login}@${address}`, no_proxy: ['s3.example.com'] },
    };
    const site = JSON.stringify({ ...JSON.parse(before), route });
    await premises.host.put('/etc/landfall/site.json', site, '0600');
    await expectBackup();
    expect(proxy.asked).toContain(`CONNECT ${host}:22`);
    await proxy.close();
    const { stdout } = await lab().backup();
    await premises.host.put('/etc/landfall/site.json', before, '0600');
    expect(stdout).toContain('cannot be reached through the proxy of the route');
  });

  it('names a bucket that refuses deletes, and stores the backup there', async () => {
    const { store } = lab().bucket;
    const snapshots = () =>
      [...store.objects.keys()].filter((key) => key.startsWith('landfall/snapshots/'));
    const before = snapshots().length;
    await lab().upload();
    store.refuse = ({ method, target }) => {
      const isAllowed = method !== 'DELETE' || target.startsWith('/bucket/landfall/locks/');
      return isAllowed ? undefined : { status: 403, code: 'AccessDenied' };
    };
    const { exitCode, stdout } = await lab().backup();
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 11,
      stdout: expect.stringContaining('Access Denied'),
    });
    expect(await failures()).toEqual({ s3: 'BACKUP_ACCESS', sftp: undefined });
    expect(snapshots()).toHaveLength(before + 1);
  });

  it('sends only requests that the stand-in implements', () => {
    expect(lab().bucket.store.unknown).toEqual([]);
  });
}
