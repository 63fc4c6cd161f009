import { appendFile, mkdir, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatKeyId, publicKeyPem } from '#contract/trust/keys.ts';
import { newStatistics } from '../../../builder/base/progress/statistics.ts';
import { fileEntry } from '../../../builder/bundle/archive/entry.ts';
import { type ReleaseFacts, releaseOf } from '../../../builder/bundle/archive/release-facts.ts';
import { writeBundle } from '../../../builder/bundle/archive/write-bundle.ts';
import { signRelease } from '../../../builder/bundle/sign/sign-release.ts';
import { statementOf } from '../../../builder/bundle/sign/statement.ts';
import { inspectCommand } from '../../../builder/commands/inspect.ts';
import { verifyCommand } from '../../../builder/commands/verify.ts';
import { factsFor, testKey } from '../bundle/archive/fixture.ts';
import { runCommand, terminalIn } from './terminal.ts';

const signer = testKey();
const recovery = testKey();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-verify-'));
  await writeFile(join(folder, 'release.pub'), publicKeyPem(signer.public));
  await writeFile(join(folder, 'recovery.pub'), publicKeyPem(recovery.public));
});
afterEach(() => rm(folder, { recursive: true }));

async function makeBundle(facts: Partial<ReleaseFacts> = {}): Promise<void> {
  const entries = [fileEntry('a', Buffer.alloc(20_000))];
  const release = releaseOf(
    { ...factsFor(signer), expires: '2099-01-01T00:00:00Z', ...facts },
    entries,
  );
  const statement = statementOf(release, { builderVersion: '0', lockSha256: '0'.repeat(64) });
  await writeBundle(
    join(folder, 'bundle.tar'),
    {
      head: signRelease(release, statement, signer),
      entries,
      mtime: Date.parse(release.created) / 1000,
    },
    { ready: async () => '', statistics: newStatistics() },
  );
}

const verify = (...args: string[]) => {
  const terminal = terminalIn(folder);
  const options = ['bundle.tar', '--quiet', ...args];
  return runCommand(verifyCommand, terminal, ...options).then(() => terminal.out());
};

describe('landfall verify of a folder', () => {
  it('verifies each bundle in it', async () => {
    await makeBundle();
    await rename(join(folder, 'bundle.tar'), join(folder, 'a.tar'));
    await makeBundle({ arch: 'arm64' });
    const terminal = terminalIn(folder);
    await runCommand(verifyCommand, terminal, '.', '--key', 'release.pub');
    expect(terminal.out()).toMatch(/1\.2\.3 for amd64.*1\.2\.3 for arm64/s);
    await runCommand(verifyCommand, terminal, '.', '--key', 'release.pub', '--json');
    expect(JSON.parse(terminal.out()).bundles).toMatchObject([
      { arch: 'amd64' },
      { arch: 'arm64' },
    ]);
    await runCommand(inspectCommand, terminal, '.', '--json');
    expect(JSON.parse(terminal.out()).bundles).toHaveLength(2);
  });
});

describe('landfall verify', () => {
  it('prints the release and its signer', async () => {
    await makeBundle();
    const terminal = terminalIn(folder);
    await runCommand(verifyCommand, terminal, 'bundle.tar', '--key', 'release.pub');
    const text = terminal.out();
    expect(text).toContain('verified: landfall 1.2.3 for amd64');
    expect(text).toContain(formatKeyId(signer.public.id));
  });

  it('prints only one JSON object with --json', async () => {
    await makeBundle();
    const terminal = terminalIn(folder);
    await runCommand(verifyCommand, terminal, 'bundle.tar', '--key', 'release.pub', '--json');
    expect(JSON.parse(terminal.out())).toMatchObject({
      verified: true,
      version: '1.2.3',
      files: 1,
    });
    expect(terminal.err()).toBe('');
  });

  it('requires a trusted key', async () => {
    await makeBundle();
    await expect(verify()).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('trusts the default key of the user if none is given', async () => {
    const own = join(folder, '.config/landfall/keys');
    await mkdir(own, { recursive: true });
    await makeBundle();
    await writeFile(join(own, 'release.pub'), publicKeyPem(recovery.public));
    await expect(verify()).rejects.toMatchObject({ code: 'BUNDLE_UNTRUSTED' });
    await verify('--key', 'release.pub');
    await writeFile(join(own, 'release.pub'), publicKeyPem(signer.public));
    await verify();
  });

  it('rejects another key', async () => {
    await makeBundle();
    await expect(verify('--key', 'recovery.pub')).rejects.toMatchObject({
      code: 'BUNDLE_UNTRUSTED',
    });
  });

  describe('of a release that announces an unknown recovery key', () => {
    const given = formatKeyId(signer.public.id);
    const announced = formatKeyId(recovery.public.id);
    beforeEach(() =>
      makeBundle({ keys: { release: [signer.public.spki], recovery: recovery.public.spki } }),
    );

    it('rejects it with the ids of both', async () => {
      await expect(verify('--key', 'release.pub')).rejects.toMatchObject({
        code: 'BUNDLE_KEYS',
        problems: [
          {
            message: `trusted: ${given} (release key); announced: ${given} (release key), ${announced} (recovery key)`,
          },
        ],
        hint: expect.stringContaining('--accept-new-keys'),
      });
    });

    it('accepts it on request, and shows the ids of both', async () => {
      const terminal = terminalIn(folder);
      const options = ['bundle.tar', '--key', 'release.pub', '--accept-new-keys'];
      await runCommand(verifyCommand, terminal, ...options);
      const warned = terminal.err();
      expect(warned).toContain(`trusted: ${given} (release key); announced: `);
      expect(warned).toContain(`${announced} (recovery key)`);
      expect(terminal.out()).toContain('verified');
    });

    it('accepts it silently if the recovery key is given', async () => {
      const terminal = terminalIn(folder);
      const options = ['--key', 'release.pub', '--recovery-key', 'recovery.pub', '--json'];
      await runCommand(verifyCommand, terminal, 'bundle.tar', ...options);
      expect(JSON.parse(terminal.out())).toMatchObject({ verified: true, warnings: [] });
    });
  });

  it('rejects new keys if the given recovery key did not sign them', async () => {
    await makeBundle({ keys: { release: [signer.public.spki], recovery: null } });
    await expect(
      verify('--key', 'release.pub', '--recovery-key', 'recovery.pub'),
    ).rejects.toMatchObject({
      code: 'BUNDLE_KEYS',
    });
  });

  it.each([
    ['truncated', () => truncate(join(folder, 'bundle.tar'), 9000), 'BUNDLE_TRUNCATED'],
    ['appended to', () => appendFile(join(folder, 'bundle.tar'), 'x'), 'BUNDLE_TRAILING'],
    [
      'replaced by prose',
      () => writeFile(join(folder, 'bundle.tar'), 'x'.repeat(5000)),
      'BUNDLE_HEADER',
    ],
    ['empty', () => truncate(join(folder, 'bundle.tar'), 0), 'BUNDLE_TRUNCATED'],
  ])('rejects a bundle that was %s', async (_what, change, code) => {
    await makeBundle();
    await change();
    await expect(verify('--key', 'release.pub')).rejects.toMatchObject({ code });
  });

  it('rejects an expired release with a hint to the clock', async () => {
    await makeBundle({ expires: '2026-01-03T00:00:00Z' });
    await expect(verify('--key', 'release.pub')).rejects.toMatchObject({
      code: 'BUNDLE_EXPIRED',
      hint: expect.stringContaining('date -u'),
    });
  });

  it('rejects a manifest that is not pinned, or for another architecture', async () => {
    await makeBundle();
    const pinned = verify('--key', 'release.pub', '--pinned', '0'.repeat(64));
    await expect(pinned).rejects.toMatchObject({ code: 'BUNDLE_PINNED' });
    const arch = verify('--key', 'release.pub', '--arch', 'arm64');
    await expect(arch).rejects.toMatchObject({ code: 'BUNDLE_WRONG_TARGET' });
  });

  it('reports a missing file', async () => {
    await expect(verify('--key', 'release.pub')).rejects.toMatchObject({ code: 'FILE_MISSING' });
    await makeBundle();
    await expect(verify('--key', 'missing.pub')).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });
});

describe('landfall inspect', () => {
  it('prints the contents and the untrusted signing key', async () => {
    await makeBundle({ models: [{ name: 'qwen3:8b', role: 'chat', manifest: null, size: null }] });
    const terminal = terminalIn(folder);
    await runCommand(inspectCommand, terminal, 'bundle.tar');
    const text = terminal.out();
    expect(text).toContain('landfall 1.2.3 for amd64, thin');
    expect(text).toContain('qwen3:8b');
    expect(text).toContain(
      `${formatKeyId(signer.public.id)}  (untrusted; check with landfall verify)`,
    );
  });

  it('prints the SHA-256 of each bootstrap file of the release, as text and as JSON', async () => {
    const bootstrap = [
      { name: 'bootstrap', sha256: 'a'.repeat(64) },
      { name: 'unpack.py', sha256: 'b'.repeat(64) },
    ];
    await makeBundle({ bootstrap });
    const [text, json] = [terminalIn(folder), terminalIn(folder)];
    await runCommand(inspectCommand, text, 'bundle.tar');
    expect(text.out()).toContain(
      `  bootstrap  ${'a'.repeat(64)}\n  unpack.py  ${'b'.repeat(64)}\n`,
    );
    await runCommand(inspectCommand, json, 'bundle.tar', '--json');
    expect(JSON.parse(json.out()).release.bootstrap).toEqual(bootstrap);
  });

  it('reads only the head, so that a truncated bundle can be inspected', async () => {
    await makeBundle();
    const { size } = await import('node:fs').then(({ statSync }) =>
      statSync(join(folder, 'bundle.tar')),
    );
    await truncate(join(folder, 'bundle.tar'), size - 2000);
    const terminal = terminalIn(folder);
    await runCommand(inspectCommand, terminal, 'bundle.tar', '--json');
    expect(JSON.parse(terminal.out())).toMatchObject({
      verified: false,
      signedBy: signer.public.id,
      release: { version: '1.2.3' },
    });
  });
});
