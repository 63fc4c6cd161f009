import { existsSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { singBoxTarball } from '#contract/bundle/bundle-paths.ts';
import { LandfallError } from '#contract/errors.ts';
import { clientBinary, clientStateFile } from '#contract/server-paths.ts';
import { inLanguage } from '#contract/text/language.ts';
import { moveIntoPlace } from '#files/move-into-place.ts';
import type { Host } from '../../../server/host/host.ts';
import { throughPipes } from '../../../server/host/run/pipes.ts';
import {
  install,
  isActive,
  isInPlace,
  isPresent,
  type ManagedFile,
  missing,
  remove,
  type Service,
  unitFileOf,
} from '../../../server/host/service.ts';
import type { Measure } from '../../../server/stage/measure.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { bringUp, noProxyWorks } from './bring-up.ts';
import { everyDestination, type ProbeClient } from './probe.ts';
import {
  clientAddress,
  clientRoles,
  clientUnit,
  configFile,
  renderClient,
  renderClientUnit,
} from './render.ts';
import { importedProxies, storedClient, waitForProxies } from './state.ts';

const unit = clientUnit('active');
const unitFile: ManagedFile = { path: unitFileOf(unit), text: renderClientUnit() };

/** The proxy client, without its configuration. */
const client = {
  files: [{ path: clientStateFile, text: (current: string | undefined) => current }, unitFile],
  units: [{ name: unit, restart: 'always' as const }],
  unwanted: { en: 'remove the proxy client', zh: '删除代理客户端' },
} satisfies Service;

/** Starts the proxy client of a site with `route.mode: client`. */
export const clientMeasure: Measure = {
  check: async (context) => {
    if (!isWanted(context)) return [];
    return [
      ...(hasClient(context)
        ? []
        : [
            inLanguage({
              en: 'unpack the proxy client of the release',
              zh: '解开版本中的代理客户端',
            }),
          ]),
      ...((await isRight(context.host))
        ? []
        : [
            inLanguage({
              en: 'find a working proxy and start the proxy client',
              zh: '查找可用的代理节点并启动代理客户端',
            }),
          ]),
    ];
  },
  apply: async (context) => await applyClient(context),
  prove: proveClient,
};

/** Removes the proxy client of an earlier route, once no setting names its address. */
export const formerClientMeasure: Measure = {
  check: async (context) => (isWanted(context) ? [] : await missing(context.host, client)),
  apply: async (context) => {
    if (!isWanted(context)) await removeClient(context.host);
  },
};

function isWanted({ site }: Pick<Context, 'site'>): boolean {
  return site.route.mode === 'client';
}

/**
 * Starts the proxy client with an imported proxy that works.
 * @throws LandfallError ROUTE_BLOCKED if no proxy works, or none is imported on an installed server
 */
export async function applyClient(
  context: Context,
  probe: ProbeClient = everyDestination,
): Promise<void> {
  const { host, site } = context;
  if (site.route.mode !== 'client') return;
  if (!hasClient(context)) await unpackClient(context);
  if (await isRight(host)) return;
  await install(host, { files: [unitFile] });
  const proxies = await waitForProxies(context);
  const mayConnectDirectly = site.route.on_failure === 'direct';
  const after = await bringUp(context, proxies, { probe, tries: 16, mayConnectDirectly });
  if (after.state === 'active') return;
  if (mayConnectDirectly) {
    const text = {
      en: `no imported proxy works, so this server connects directly: ${after.verdict}`,
      zh: `导入的代理节点都不可用，这台服务器改为直连：${after.verdict}`,
    };
    return context.report.warn({ kind: 'route', subject: 'client', text });
  }
  throw noProxyWorks(after);
}

/** Stops the proxy client and removes its settings. The imported proxies stay. */
export async function removeClient(host: Host): Promise<void> {
  if (!(await isPresent(host, client))) return;
  const hasRun = await isPresent(host, { files: [unitFile] });
  for (const role of clientRoles) {
    await rm(dirname(host.path(configFile(role))), { recursive: true, force: true });
  }
  await remove(host, client);
  if (hasRun) await host.succeeds('ip', ['address', 'delete', ...clientAddress]);
}

async function proveClient({ host, site }: Context): Promise<void> {
  if (site.route.mode !== 'client' || (await isActive(host, unit))) return;
  throw new LandfallError('ROUTE_BLOCKED', 'the proxy client is not running', {
    hint: {
      en: `Check: sudo journalctl -u ${unit}. Another program may use port 7890.`,
      zh: `检查：sudo journalctl -u ${unit}。7890 端口可能被其他程序占用。`,
    },
  });
}

/** Returns whether the client runs with the imported settings of the proxy in use. */
async function isRight(host: Host): Promise<boolean> {
  const state = await storedClient.read(host);
  if (state?.state !== 'active' && state?.state !== 'provisional') return false;
  const proxy = (await importedProxies(host))?.find(({ name }) => name === state.node);
  if (proxy === undefined) return false;
  const text = renderClient(proxy, 'active');
  const config = { path: configFile('active'), text, mode: 0o600 };
  return await isInPlace(host, { files: [unitFile, config], units: client.units });
}

type Input = Pick<Context, 'host' | 'release' | 'releaseFolder'>;

function hasClient({ releaseFolder }: Pick<Input, 'releaseFolder'>): boolean {
  return existsSync(join(releaseFolder, clientBinary));
}

/**
 * Unpacks the proxy client of the release. The tarball was verified with the bundle.
 * @throws LandfallError BUNDLE_CONTENT when the release has none, COMMAND_FAILED
 */
export async function unpackClient({ host, release, releaseFolder }: Input): Promise<void> {
  if (!release.files.some(({ path }) => path === singBoxTarball)) {
    throw new LandfallError('BUNDLE_CONTENT', 'the release does not contain a proxy client', {
      hint: {
        en: 'Build a release with `clients` in appliance.yaml, or set another one: `sudo landfall site set route.mode direct`.',
        zh: '在 appliance.yaml 中加上 `clients` 重新构建版本，或换用其他线路：`sudo landfall site set route.mode direct`。',
      },
    });
  }
  const target = join(releaseFolder, clientBinary);
  const folder = `${target}.landfall-new`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    // The tarball has one folder, whose name contains the version; other files in it are not needed.
    const args = [
      ...['--extract', '--gzip', '--file', join(releaseFolder, singBoxTarball)],
      ...['--directory', folder, '--no-same-owner', '--strip-components=1'],
      ...['--wildcards', 'sing-box-*/sing-box'],
    ];
    await host.run(...throughPipes('tar', args));
    const program = join(folder, 'sing-box');
    await chmod(program, 0o755);
    await moveIntoPlace(program, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
