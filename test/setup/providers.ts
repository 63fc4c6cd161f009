import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pushImages } from '../images/push.ts';
import { provideBrowser } from './browser.ts';
import type { Daemon } from './daemon.ts';
import { provideDebian } from './debian/debian.ts';
import { findDebianMirror } from './debian/debian-mirror.ts';
import { provideComposePlugin } from './docker/compose-plugin.ts';
import { startEngine } from './docker/engine.ts';
import { importImage } from './docker/import-image.ts';
import { provideLego, providePebbleWithProfiles } from './go/lego.ts';
import { provideBenchImages, provideTestImages } from './images/images.ts';
import { provideLlama } from './images/llama.ts';
import { startRegistryWithAccount } from './images/registry.ts';
import { registryAccount } from './images/registry-account.ts';
import { provideStorage, startRegistryFrom } from './images/registry-storage.ts';
import { type Program, programPath } from './packages/programs.ts';
import { providePebble } from './pebble.ts';
import type { Get, Provider } from './preparation.ts';
import { provideLlamaSource } from './real/llama-source.ts';
import { ollamaImage, provideOllama } from './real/ollama.ts';
import { openWebUiImage, provideOpenWebUi } from './real/open-webui.ts';
import type { Say } from './say.ts';
import { buildServerBundle } from './server-bundle.ts';
import { provideFlavour } from './ubuntu-like/flavour.ts';
import { resoluteLike, ubuntuLike } from './ubuntu-like/flavours.ts';
import { provideUutils } from './ubuntu-like/uutils.ts';
import type { NeedName } from './variables.ts';
import { findAccelerator } from './vm/accelerator.ts';
import { provideQemu } from './vm/qemu.ts';
import { provideTrueHostImage, type TrueHostImageOptions } from './vm/true-host-image.ts';
import type { Workspace } from './workspace.ts';

export interface ProviderContext {
  readonly workspace: Workspace;
  readonly say: Say;
  /** Starts a daemon that runs until the end of the tests. Returns its result. */
  readonly start: (starting: Promise<Daemon>) => Promise<string>;
  readonly trueHost: TrueHostImageOptions;
  /** Everything that the run requests. */
  readonly names: readonly NeedName[];
}

/** Provider of each dependency. */
export function providersWith(context: ProviderContext): Readonly<Record<NeedName, Provider>> {
  const { workspace, say, start, trueHost, names } = context;
  const { cache, run } = workspace;
  const program = (name: Program) => () => programPath(name);
  const images = once(async (get: Get) => {
    // lego is compiled with Go, which most runs do not need.
    const lego = names.includes('lego') ? await get('lego').catch(() => undefined) : undefined;
    return await provideTestImages(cache, { llama: await get('llama'), lego }, say);
  });
  const debian = once((suite: 'trixie' | 'bookworm') =>
    provideDebian(suite, cache, findDebianMirror, say),
  );
  const vmImage = (qemu: string, options: TrueHostImageOptions) =>
    provideTrueHostImage(qemu, options, cache, findDebianMirror, say);
  return {
    engine: () => start(startEngine(workspace)),
    llama: () => provideLlama(cache, say),
    lego: () => provideLego(cache, say),
    images: async (get) => (await images(get)).layout,
    registryStorage: async (get) => await provideStorage(cache, 'registry', await images(get)),
    registry: async (get) =>
      await start(startRegistryFrom(await get('registryStorage'), join(run, 'registry'))),
    registryAuth: async (get) => {
      const made = await images(get);
      const folder = join(run, 'registry-auth');
      await mkdir(folder);
      const address = await start(startRegistryWithAccount(folder));
      const guarded = made.images.filter(({ architectures }) => architectures.includes('arm64'));
      await pushImages(made.layout, guarded, address, registryAccount);
      return address;
    },
    benchRegistry: async () => {
      const large = await provideBenchImages(cache, say);
      const storage = await provideStorage(cache, 'bench-registry', large);
      return await start(startRegistryFrom(storage, join(run, 'bench-registry')));
    },
    trixie: async () => (await debian('trixie')).root,
    bookworm: async () => (await debian('bookworm')).root,
    hostDebian13: async (get) =>
      await importImage(await get('engine'), (await debian('trixie')).server),
    hostDebian12: async (get) =>
      await importImage(await get('engine'), (await debian('bookworm')).server),
    hostUbuntuLike: async (get) => {
      const { server } = await debian('trixie');
      const flavour = await ubuntuLike();
      const archive = await provideFlavour(flavour, server, cache, findDebianMirror, say);
      return await importImage(await get('engine'), archive);
    },
    hostResoluteLike: async (get) => {
      const { server } = await debian('trixie');
      const flavour = await resoluteLike(await get('uutils'));
      const archive = await provideFlavour(flavour, server, cache, findDebianMirror, say);
      return await importImage(await get('engine'), archive);
    },
    uutils: () => provideUutils(cache, say),
    browser: () => provideBrowser(cache, findDebianMirror, say),
    packageCache: () => join(cache, 'packages'),
    newerPebble: () => providePebbleWithProfiles(cache, say),
    pebble: () => providePebble(cache, findDebianMirror, say),
    composePlugin: () => provideComposePlugin(cache, findDebianMirror, say),
    serverBundle: async (get) =>
      await buildServerBundle({
        folder: join(run, 'server-bundle'),
        registry: await get('registry'),
        plugin: await get('composePlugin'),
      }),
    qemu: () => provideQemu(cache, findDebianMirror, say),
    trueHost: async (get) => await vmImage(await get('qemu'), trueHost),
    confinedHost: async (get) => await vmImage(await get('qemu'), { ...trueHost, confined: true }),
    accelerator: async (get) =>
      await findAccelerator(await get('qemu'), await get('trueHost'), cache),
    openWebUi: async (get) =>
      await importImage(await get('engine'), await provideOpenWebUi(cache, say), openWebUiImage),
    openWebUiBefore: async (get) =>
      await importImage(
        await get('engine'),
        await provideOpenWebUi(cache, say, 'open-webui-before'),
        openWebUiImage,
      ),
    ollama: async (get) =>
      await importImage(await get('engine'), await provideOllama(cache, say), ollamaImage),
    llamaSource: () => provideLlamaSource(cache, say),
    skopeo: program('skopeo'),
    openssl: program('openssl'),
    shellcheck: program('shellcheck'),
    dash: program('dash'),
    zsh: program('zsh'),
    fish: program('fish'),
    proxychains4: program('proxychains4'),
    curl: program('curl'),
    sshd: program('sshd'),
    pip3: program('pip3'),
    gpg: program('gpg'),
    haproxy: program('haproxy'),
    busybox: program('busybox'),
    knotd: program('knotd'),
    unbound: program('unbound'),
  };
}

/** Several dependencies share one artifact, which is built once for each argument. */
function once<Argument, Made>(make: (argument: Argument) => Promise<Made>) {
  const made = new Map<Argument, Promise<Made>>();
  return (argument: Argument): Promise<Made> => {
    const making = made.get(argument) ?? make(argument);
    made.set(argument, making);
    return making;
  };
}
