import {
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Creates a checkout with one dependency, whose registry is a closed loopback port. */
let checkout: string;
beforeEach(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'landfall-install-'));
  await mkdir(join(checkout, 'builder/bin'), { recursive: true });
  await copyFile(join(root, 'builder/bin/install.mjs'), join(checkout, 'builder/bin/install.mjs'));
  const dependencies = { absent: '1.0.0' };
  const name = 'checkout';
  await writeFile(join(checkout, 'package.json'), JSON.stringify({ name, dependencies }));
  const packages = {
    '': { name, dependencies },
    'node_modules/absent': { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` },
  };
  const lock = { name, lockfileVersion: 3, requires: true, packages };
  await writeFile(join(checkout, 'package-lock.json'), JSON.stringify(lock));
});
afterEach(async () => await rm(checkout, { recursive: true }));

async function install(locale = 'C.UTF-8') {
  return await execa(process.execPath, [join(checkout, 'builder/bin/install.mjs')], {
    env: {
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_fetch_retries: '0',
      npm_config_cache: join(checkout, 'npm-cache'),
      npm_execpath: '',
      LC_ALL: locale,
    },
    reject: false,
  });
}

describe('the installation of the dependencies', () => {
  it('explains what it does, and what to do if the registry is unreachable', async () => {
    const { exitCode, stderr } = await install();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Installing dependencies/);
    expect(stderr).toContain('ECONNREFUSED');
    expect(stderr).toContain('The npm registry is probably unreachable');
    expect(stderr).toContain('npm config set registry');
  });

  it('explains it in Chinese on a Chinese terminal', async () => {
    const { stderr } = await install('zh_CN.UTF-8');
    expect(stderr).toMatch(/^正在从 npm 仓库安装依赖/);
    expect(stderr).toContain('可能无法连接 npm 仓库。');
  });

  it('does nothing silently if all dependencies are present', async () => {
    const record = join(checkout, 'node_modules/.package-lock.json');
    await mkdir(dirname(record));
    await writeFile(record, '{}');
    expect(await install()).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('does not empty a folder that node_modules links to', async () => {
    const other = join(checkout, 'other');
    await mkdir(other);
    await writeFile(join(other, 'kept'), '');
    await symlink(other, join(checkout, 'node_modules'));
    expect(await install()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('link') });
    expect(await readFile(join(other, 'kept'), 'utf8')).toBe('');
  });

  it('runs again if package-lock.json is newer', async () => {
    const record = join(checkout, 'node_modules/.package-lock.json');
    await mkdir(dirname(record));
    await writeFile(record, '{}');
    await utimes(record, 0, 0);
    expect((await install()).stderr).toMatch(/^Installing/);
  });
});

describe('package-lock.json', () => {
  // npm 11 fails if package-lock.json lacks a platform, even one that it does not install.
  it('locks every platform of a package in package-lock.json', async () => {
    const entry = z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() });
    const { packages } = z
      .object({ packages: z.record(z.string(), entry) })
      .parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
    const lacking = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
      ),
    );
    expect(lacking).toEqual([]);
  });
});
