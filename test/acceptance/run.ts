import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { stringify } from 'yaml';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { smokeTable } from '#smoke/table.ts';
import { webServer } from '../host/network/web.ts';
import { Afterwards, runOnSignals } from '../setup/afterwards.ts';
import { cacheFolder, openWorkspace, runFolder } from '../setup/workspace.ts';
import { Administrator } from '../vm/administrator.ts';
import { accept } from './accept.ts';
import type { AcceptanceServer } from './acceptance-server.ts';
import { buildRelease } from './build-release.ts';
import {
  type AcceptanceSelection,
  localServer,
  readAcceptance,
  usage,
} from './command/selection.ts';
import { prepareLocalServer, startLocalServer } from './local-server.ts';
import { CloudServer } from './machine/cloud-server.ts';
import { type ReleaseFiles, releaseFiles } from './release-files.ts';
import { acceptanceSite } from './site.ts';

/*
 * `npm run acceptance`: a release, on a fresh server, from user-data to its smoke tests.
 * Seen to run with an image made of Debian's packages in the place of a cloud image, in 617 s without KVM.
 * Never seen to run: with cloud images, which this machine cannot reach, and on arm64.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
/** Seconds for a first boot that downloads images, with an emulated CPU. */
const limit = 4 * 3600;

const selection = readAcceptance(process.argv.slice(2));
const afterwards = new Afterwards();
runOnSignals(afterwards);
if (selection) {
  await run(selection).finally(() => afterwards.run());
} else {
  console.error(usage);
  process.exitCode = 2;
}

async function run(selected: AcceptanceSelection): Promise<void> {
  const { distribution, image, arch } = selected;
  const prepared = distribution === localServer ? await prepareLocalServer(afterwards) : undefined;
  if (!prepared) {
    const workspace = await openWorkspace();
    afterwards.add(() => workspace.remove());
  }
  const folder = join(runFolder(), 'acceptance');
  await mkdir(folder);
  const administrator = await Administrator.create(folder);
  const where = selected.release ?? (await buildRelease(arch, folder));
  const release = await releaseFiles(where, arch, folder);
  const userData = await renderUserData(release, administrator.publicKey, folder);
  console.log(`== ${where} on ${image ?? distribution}, ${arch}`);
  const started = performance.now();
  const server: AcceptanceServer =
    distribution === localServer
      ? await startLocalServer(prepared ?? {}, afterwards, {
          folder: join(folder, 'server'),
          userData,
        })
      : await CloudServer.start({
          distribution,
          image,
          arch,
          cache: cacheFolder(),
          folder,
          administrator,
          userData,
        });
  afterwards.add(() => server.remove());
  const { smoke, facts } = await accept(server, limit);
  console.log(`${smokeTable(smoke)}\n${facts}`);
  console.log(`accepted after ${Math.round((performance.now() - started) / 1000)} s`);
}

/** Renders user-data with the command that users run, which verifies the release. */
async function renderUserData(
  { manifest, source }: ReleaseFiles,
  sshKey: string,
  folder: string,
): Promise<Buffer> {
  const url = 'url' in source ? source.url : await serve(source.folder);
  const release = decodeRelease(await readFile(manifest));
  const [site, target] = [join(folder, 'site.yaml'), join(folder, 'user-data.yaml')];
  await writeFile(site, stringify(acceptanceSite(release, url, sshKey)));
  const key = join(dirname(manifest), 'release.pub');
  const args = ['user-data', '--site', site, '--release', manifest, '--key', key];
  const program = join(root, 'builder/bin/cli.ts');
  await execa(process.execPath, [program, ...args, '--output', target], { stdio: 'inherit' });
  return await readFile(target);
}

/** Serves a folder on loopback. Returns its URL inside a guest of qemu. */
async function serve(folder: string): Promise<string> {
  const server = webServer(folder);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards.add(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://10.0.2.2:${(server.address() as AddressInfo).port}/`;
}
