import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { releaseKey } from '../../../simulator/keys.ts';
import { workFolder } from '../../../simulator/work-folder.ts';
import { ActionCheckout } from './checkout.ts';

const secrets = { RELEASE_KEY: 'the private key', GH_TOKEN: 'the token' };

/** A builder that records its arguments and secrets, and prints what the test wrote to `result`. */
const builder = `
import { readFileSync, writeFileSync } from 'node:fs';
const { RELEASE_KEY, GH_TOKEN, GITHUB_TOKEN } = process.env;
writeFileSync('called.json', JSON.stringify({ args: process.argv.slice(2), RELEASE_KEY, GH_TOKEN, GITHUB_TOKEN }));
console.error('::error::forged');
const text = readFileSync('result', 'utf8');
process.stdout.write(text);
process.exitCode = text.includes('error') ? 3 : 0;
`;

let checkout: ActionCheckout;
let folder: string;
beforeEach(async () => {
  folder = await workFolder();
  const workspace = join(folder, 'workspace');
  await mkdir(workspace);
  checkout = await ActionCheckout.create(join(folder, 'action'), workspace);
  await checkout.write('builder/bin/landfall.mjs', builder);
});

const failWith = (error: object) =>
  writeFile(join(checkout.workspace, 'result'), JSON.stringify({ error }));
const called = async () =>
  JSON.parse(await readFile(join(checkout.workspace, 'called.json'), 'utf8')) as {
    args: string[];
    RELEASE_KEY?: string;
    GH_TOKEN?: string;
    GITHUB_TOKEN?: string;
  };

describe('a failed build in the GitHub Action', () => {
  it('annotates a failed build with code, message and hint', async () => {
    await failWith({ code: 'LOCK_DRIFT', message: 'the lock is outdated', hint: 'Run it: 100%.' });
    const { exitCode, log } = await checkout.run({});
    expect(exitCode).toBe(1);
    expect(log).toContain('::error title=LOCK_DRIFT::the lock is outdated%0ARun it: 100%25.');
  });

  it('annotates each problem of a failed build at its file, line and column', async () => {
    const problems = [
      { message: 'unknown field', hint: 'Remove it.', file: 'appliance.yaml', line: 3, column: 7 },
      { message: 'no version', file: join(checkout.workspace, 'sub/appliance.yaml') },
    ];
    await failWith({ code: 'CONFIG_INVALID', message: '2 problems', problems });
    const { log } = await checkout.run({});
    expect(log).toContain(
      '::error title=CONFIG_INVALID,file=appliance.yaml,line=3,col=7::unknown field%0ARemove it.',
    );
    expect(log).toContain('::error title=CONFIG_INVALID,file=sub/appliance.yaml::no version');
  });

  it('shows ten annotations and counts the other problems', async () => {
    const problems = Array.from({ length: 12 }, (_, index) => ({ message: `problem ${index}` }));
    await failWith({ code: 'CONFIG_INVALID', message: '12 problems', problems });
    const { log } = await checkout.run({});
    expect(log.match(/^::error title/gm)).toHaveLength(10);
    expect(log).toContain('3 more problems');
  });

  it('does not let its log run commands of the runner', async () => {
    await failWith({ code: 'USAGE', message: 'x' });
    const { log } = await checkout.run({});
    const [, before = '', token] = /^([\s\S]*)::stop-commands::(\S+)$/m.exec(log) ?? [];
    expect(before).not.toContain('forged');
    const [stopped = ''] = log.split(`::${token}::`).slice(-2);
    expect(stopped).toContain('::error::forged');
  });

  it('reports a bug when the builder prints no result', async () => {
    await writeFile(join(checkout.workspace, 'result'), '');
    const { exitCode, log } = await checkout.run({});
    expect(exitCode).toBe(1);
    expect(log).toContain('::error title=BUG::a program of Landfall printed no result');
  });

  it('reports an installation that failed', async () => {
    await checkout.write('builder/bin/install.mjs', 'process.exitCode = 1;');
    const { exitCode, log } = await checkout.run({});
    expect(exitCode).toBe(1);
    expect(log).toContain('::error title=TOOL_MISSING::');
  });
});

describe('the inputs of the GitHub Action', () => {
  it.each([
    ['kind', 'fat', 'kind: unknown value "fat"%0AChoose from: thin, full.'],
    ['platforms', 'linux/amd64,linux/386', 'platforms: unknown value "linux/386"'],
    ['publish', 'v1;reboot', 'publish: invalid tag "v1;reboot"'],
    ['publish', '--draft', 'publish: invalid tag "--draft"'],
  ])('reject %s: %s before anything runs', async (name, value, message) => {
    const { exitCode, log } = await checkout.run({ [name]: value });
    expect(exitCode).toBe(1);
    expect(log).toContain(`::error title=USAGE::${message}`);
    expect(existsSync(join(checkout.workspace, 'called.json'))).toBe(false);
  });

  it('reach the builder as one argument each, also with spaces, quotes and hyphens', async () => {
    await failWith({ code: 'USAGE', message: 'x' });
    const config = '--key=/etc/passwd; "$(reboot)"';
    await checkout.run({ config, platforms: 'linux/arm64 linux/amd64', output: 'a b' });
    const args = ['build', '--json', '--frozen', '--thin', '--arch=amd64', '--arch=arm64'];
    expect((await called()).args).toEqual([
      ...args,
      `--config=${config}`,
      '--output=a b',
      '--key=env:RELEASE_KEY',
    ]);
  });

  it('pass the size of parts only if it is set', async () => {
    await failWith({ code: 'USAGE', message: 'x' });
    await checkout.run({ 'max-part-size': '1900MB' });
    expect((await called()).args).toContain('--max-part-size=1900MB');
  });

  it('reject unknown licenses in bundles that are published, and in no others', async () => {
    await failWith({ code: 'LICENSE_UNKNOWN', message: 'x' });
    await checkout.run({ publish: 'v1.2.3' });
    expect((await called()).args).toContain('--public');
    await checkout.run({});
    expect((await called()).args).not.toContain('--public');
  });
});

describe('the secrets of the GitHub Action', () => {
  it('masks the secrets of the GitHub Action before anything else', async () => {
    await failWith({ code: 'USAGE', message: 'x' });
    const { log } = await checkout.run({}, secrets);
    const [first, second] = log.split('\n');
    expect([first, second]).toEqual(['::add-mask::the private key', '::add-mask::the token']);
  });

  it('reach only the program that needs them', async () => {
    await failWith({ code: 'USAGE', message: 'x' });
    const record = `import { writeFileSync } from 'node:fs';
      writeFileSync('install.json', JSON.stringify(Object.keys(process.env)));`;
    await checkout.write('builder/bin/install.mjs', record);
    await checkout.run({}, { ...secrets, GITHUB_TOKEN: 'another token' });
    expect((await called()).RELEASE_KEY).toBe(secrets.RELEASE_KEY);
    expect(await called()).not.toHaveProperty('GH_TOKEN');
    expect(await called()).not.toHaveProperty('GITHUB_TOKEN');
    const seen = await readFile(join(checkout.workspace, 'install.json'), 'utf8');
    expect(seen).not.toMatch(/RELEASE_KEY|GH_TOKEN|GITHUB_TOKEN|INPUT_/);
  });
});

describe('publishing in the GitHub Action', () => {
  it('passes every part of a bundle, what is beside it and the public key to the upload', async () => {
    const dist = join(checkout.workspace, 'dist');
    await mkdir(dist);
    const names = ['a-1.tar.000', 'a-1.tar.001', 'a-1.release.json', 'a-10.tar', 'release.pub'];
    for (const name of names) await writeFile(join(dist, name), 'text');
    await writeFile(join(dist, 'release.pub'), publicKeyPem(releaseKey.public));
    const bundles = [{ path: join(dist, 'a-1.tar'), manifestSha256: 'a'.repeat(64) }];
    await writeFile(join(checkout.workspace, 'result'), JSON.stringify({ bundles }));
    await checkout.write(
      'builder/publish/release/upload-draft.ts',
      builder.replace('called', 'upload'),
    );
    const { exitCode, outputs } = await checkout.run({ publish: 'v1.2.3' }, secrets);
    expect(exitCode).toBe(0);
    expect(outputs.bundles).toBe([join(dist, 'a-1.tar.000'), join(dist, 'a-1.tar.001')].join('\n'));
    const upload = JSON.parse(await readFile(join(checkout.workspace, 'upload.json'), 'utf8'));
    const wanted = ['a-1.release.json', 'a-1.tar.000', 'a-1.tar.001', 'release.pub'];
    const files = wanted.map((name) => join(dist, name));
    expect(upload.args).toEqual(['v1.2.3', ...files]);
    expect(upload).toMatchObject({ GH_TOKEN: secrets.GH_TOKEN });
    expect(upload.RELEASE_KEY).toBeUndefined();
  });
});
