import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { afterThisTest } from '../../../setup/cleanup.ts';

/** Files of each folder of the npm package. The whole list: test/integration/builder/package.test.ts. */
const packed = [
  ...[
    'builder/bin/landfall.mjs',
    'builder/inputs/config/site.schema.json',
    'builder/bundle/notice/texts/mit.txt',
  ],
  ...['appliance/bootstrap/bootstrap', 'appliance/bootstrap/fetch.py', 'compose/compose.yaml'],
  ...['compose/gateway/nginx.conf', 'docs/site.md', 'docs/zh/site.md', 'docs/images/chat.png'],
  ...['docs/delivery/serve.md', 'docs/proxies/client.md', 'docs/release/sbom.md'],
];
/** What people have beside them: secrets, sites, keys, sources, source maps and backups of editors. */
const others =
  '.env .npmrc id_ed25519 release.key site.yaml x.mjs.map secret.pem x.test.ts core x.tar x.md~';

it('contains no files that people keep beside those of the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-packed-'));
  afterThisTest(() => rmSync(folder, { recursive: true }));
  const write = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'x');
  };
  for (const path of packed) {
    write(path);
    for (const name of others.split(' ')) write(join(dirname(path), name));
  }
  copyFileSync('package.json', join(folder, 'package.json'));
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [{ files }] = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8' })) as [
    { files: ReadonlyArray<{ readonly path: string }> },
  ];
  const found = files.map(({ path }) => path).filter((path) => path !== 'package.json');
  expect(found.sort()).toEqual([...packed].sort());
}, 60_000);
