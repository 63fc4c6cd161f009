import { afterEach, describe, expect, it } from 'vitest';
import { bootSettingsFile, installedMark, siteFile, statusFile } from '#contract/server-paths.ts';
import { readText } from '../../../../appliance/server/host/files.ts';
import { preparedByUserData } from '../../../../builder/deliver/install/prepare.ts';
import {
  progressOf,
  type ServerSnapshot,
  takeSnapshot,
} from '../../../../builder/deliver/install/server-snapshot.ts';
import type { RootShell } from '../../../../builder/deliver/ssh/root.ts';
import { localShell } from '../ssh/local-shell.ts';

const osRelease = 'ID=debian\nVERSION_ID="13"\nVERSION_CODENAME=trixie\n';
const pin = 'a'.repeat(64);
const boot = { product: 'landfall', version: '1.2.0', manifests: { amd64: pin }, sources: [] };
const site = { release: 'push', admin: { user: 'me', ssh_keys: [] } };

/** A server that prints these facts. */
function printing(lines: readonly string[], code = 0): RootShell {
  return {
    ...localShell(),
    run: async () => ({ code, stdout: `${lines.join('\n')}\n`, stderr: '' }),
  };
}

const file = (path: string, content: string) =>
  `file ${path} ${Buffer.from(content).toString('base64')}`;
const facts = (...more: string[]) => [
  ...['arch aarch64', 'memory 4000000000', 'cpus 2', 'disk 20000000000'],
  file('etc/os-release', osRelease),
  ...more,
];

let snapshot: ServerSnapshot | undefined;
afterEach(() => snapshot?.[Symbol.asyncDispose]());
const look = async (lines: readonly string[]) => {
  snapshot = await takeSnapshot(printing(lines));
  return snapshot;
};

describe('a look at a server', () => {
  it('shows its distribution, size and missing tools', async () => {
    const { server, missing } = await look(facts('missing python3'));
    expect(server).toMatchObject({
      distribution: { id: 'debian', version: '13' },
      arch: 'arm64',
      memory: 4e9,
      cpus: 2,
      freeDisk: 2e10,
      container: undefined,
    });
    expect(missing).toEqual(['python3']);
  });

  it('shows the memory that the kernel keeps for crash dumps', async () => {
    const { server } = await look(facts(file('sys/kernel/kexec_crash_size', '268435456\n')));
    expect(server.crashMemory).toBe(268435456);
  });

  it('works on the machine of this test, with the real script', async () => {
    snapshot = await takeSnapshot(localShell());
    expect(snapshot.server).toMatchObject({ distribution: { id: 'debian' } });
    expect(snapshot.server.memory).toBeGreaterThan(5e8);
    expect(snapshot.server.freeDisk).toBeGreaterThan(1e6);
    const { stdout } = await snapshot.host.run('printf', ['%s', "it's $HOME"]);
    expect(stdout).toBe("it's $HOME");
  });

  it('writes no file that a hostile server names', async () => {
    const { host } = await look(facts(file('../../escaped', 'x'), file('etc/passwd', 'x')));
    expect(await readText(host, 'etc/passwd')).toBeUndefined();
    expect(await readText(host, '../../escaped')).toBeUndefined();
    expect(await readText(host, 'etc/os-release')).toBe(osRelease);
  });

  it('shows no escape sequences that a hostile server prints', async () => {
    const hostile = 'ID="\u001b]52;c;ZXZpbA==\u0007debian"\nVERSION_ID="13\u001b[2J"\n';
    const { host, server } = await look([
      'arch x86_64',
      file('etc/os-release', hostile),
      file(bootSettingsFile, JSON.stringify({ ...boot, product: '\u001b[31mx' })),
    ]);
    expect(server.distribution).toEqual({ id: 'debian', version: '13' });
    const error = await progressOf({ host } as ServerSnapshot, 'b'.repeat(64)).catch(String);
    expect(error).not.toContain('\u001b');
  });

  it('refuses a system without os-release', async () => {
    await expect(takeSnapshot(printing(['arch x86_64']))).rejects.toMatchObject({
      code: 'SERVER_UNFIT',
    });
  });
});

describe('the progress of a server', () => {
  const waiting = file(bootSettingsFile, JSON.stringify(boot));

  it.each([
    ['fresh', []],
    ['fresh', [file(bootSettingsFile, '{"half')]],
    ['pinned', [waiting]],
    ['stages', [waiting, file(statusFile, '{}')]],
    ['installed', [waiting, file(statusFile, '{}'), file(installedMark, '1.2.0\n')]],
  ] as const)('reports the progress of a server as %s', async (expected, more) => {
    expect(await progressOf(await look(facts(...more)), pin)).toBe(expected);
  });

  it('refuses a server that is set up for another release', async () => {
    await expect(progressOf(await look(facts(waiting)), 'b'.repeat(64))).rejects.toMatchObject({
      code: 'SERVER_UNFIT',
      message: 'the server is set up for another release: landfall 1.2.0',
    });
  });
});

describe('a server that waits for its bundle', () => {
  const local = {
    pinned: { release: { arch: 'arm64' }, manifestSha256: pin, partSize: 1000 },
    path: 'dist/x.tar',
  } as unknown as Parameters<typeof preparedByUserData>[1];

  it('gets only the source of the bundle, and keeps its pin', async () => {
    const more = [
      file(bootSettingsFile, JSON.stringify(boot)),
      file(siteFile, JSON.stringify(site)),
    ];
    const { admin, filesFor } = await preparedByUserData(await look(facts(...more)), local);
    expect(admin).toBe('me');
    const [placed, ...others] = filesFor('http://127.0.0.1:4000/');
    expect(others).toEqual([]);
    expect(placed).toMatchObject({ path: `/${bootSettingsFile}`, secret: true });
    expect(JSON.parse(placed?.content ?? '')).toEqual({
      ...boot,
      parts: { arm64: 1000 },
      sources: [{ url: 'http://127.0.0.1:4000/' }],
    });
  });

  it('refuses a server that waits for its bundle if its files are damaged', async () => {
    const more = [file(bootSettingsFile, JSON.stringify(boot)), file(siteFile, '{')];
    await expect(preparedByUserData(await look(facts(...more)), local)).rejects.toMatchObject({
      code: 'STATE_INVALID',
    });
  });
});
