import { copyFile, lstat, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Format, formats } from '../../../builder/deliver/user-data/providers.ts';
import { renderUserData } from '../../../builder/deliver/user-data/render.ts';
import { readSite } from '../../../builder/inputs/config/site.ts';
import { siteWith } from '../../appliance/bootstrap/fresh-server.ts';
import { installable, pinOf } from '../../appliance/bootstrap/installable.ts';
import { serve } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { debianSuites } from '../../host/distributions.ts';
import { makeRelease, tinyFiles } from '../../simulator/bundle.ts';
import { recoveryKey, releaseKey } from '../../simulator/keys.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { inChroot } from '../chroot.ts';
import { needs } from '../needs.ts';

const folder = await workFolder();
const bundle = installable();
const manifestSha256 = pinOf(bundle);
const release = makeRelease(tinyFiles);
const exampleSite = await readSite(inProject('builder/inputs/config/example-site.yaml'));

let web: FaultyServer;
beforeAll(async () => {
  web = await FaultyServer.start(serve(bundle));
  await copyFile(
    inProject('test/integration/bootstrap/read-user-data.py'),
    join(folder, 'read.py'),
  );
});
afterAll(() => web.close());

function inProject(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}

function render(site = exampleSite, format: Format = 'cloud-config'): Buffer {
  const { bytes } = renderUserData({
    site,
    // The same for both, so that the result does not depend on the machine.
    releases: [
      { release, manifestSha256 },
      { release: { ...release, arch: 'arm64' }, manifestSha256 },
    ],
    keys: { release: [releaseKey.public], recovery: recoveryKey.public },
    format,
  });
  return Buffer.from(bytes);
}

const suites = { trixie: 'Debian 13', bookworm: 'Debian 12' } as const;

for (const suite of debianSuites()) {
  const debian = needs(suite);

  debian.describe(`cloud-init of ${suites[suite]}`, () => {
    const run = (command: string, ...args: string[]) =>
      inChroot(debian[suite], { folder, command, args });
    const schema = async (text: Buffer | string) => {
      await writeFile(join(folder, 'user-data'), text);
      return run('cloud-init', 'schema', '--config-file', 'user-data');
    };
    const processed = async (userData: Buffer) => {
      const target = await mkdtemp(join(folder, 'server-'));
      await writeFile(join(folder, 'user-data'), userData);
      const inside = target.replace(folder, '/mnt');
      const { exitCode, output } = await run('python3', 'read.py', 'user-data', inside);
      expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
      return { target, inside, rest: JSON.parse(output.split('\n').at(-1) ?? '') };
    };

    it('accepts the user-data of the example site', async () => {
      expect(await schema(render())).toMatchObject({ exitCode: 0 });
    });

    it('accepts a site with every field', async () => {
      const site = siteWith({
        release: ['https://downloads.example.com/', 'http://10.0.0.9/landfall'],
        route: { mode: 'socks5', url: 'socks5h://me:p%20w@10.0.0.2:1080', no_proxy: ['10.0.0.9'] },
        hosts: { ui: 'chat.example.com' },
        providers: { openai: { base_url: 'https://api.openai.com/v1' } },
      });
      expect(await schema(render(site))).toMatchObject({ exitCode: 0 });
    });

    it('rejects invalid user-data', async () => {
      const broken = render().toString().replace("permissions: '0600'", 'permissions: 0600');
      expect(await schema(broken)).toMatchObject({ exitCode: 1 });
    });

    it.each(formats.filter((format) => format !== 'shell'))(
      'reads %s and writes the files byte for byte',
      async (format) => {
        const { target, rest } = await processed(render(exampleSite, format));
        for (const { path, content } of parse(render().toString()).write_files) {
          expect(await readFile(join(target, path), 'utf8')).toBe(content);
        }
        expect(rest).toEqual({
          locale: 'C.UTF-8',
          runcmd: ['systemctl enable --now --no-block landfall-boot.service'],
        });
      },
    );

    it('makes files with users and settings readable for root only', async () => {
      const { target } = await processed(render());
      const mode = async (path: string) => (await lstat(join(target, path))).mode & 0o777;
      expect(await mode('etc/landfall/site.json')).toBe(0o600);
      expect(await mode('etc/landfall/boot.json')).toBe(0o600);
      expect(await mode('opt/landfall/boot/unpack.py')).toBe(0o644);
    });

    it('sets a server up on which the bootstrap works', async () => {
      const site = siteWith({ release: [web.origin] });
      const { target, inside } = await processed(render(site));
      await mkdir(join(target, 'tmp'));
      const boot = await run(
        'env',
        `LANDFALL_ROOT=${inside}`,
        'sh',
        `${inside}/opt/landfall/boot/bootstrap`,
      );
      expect(boot).toMatchObject({ exitCode: 0 });
      expect(await readFile(join(target, 'started'), 'utf8')).toContain('first-boot');
    });
  });
}
