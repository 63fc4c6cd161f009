import { dirname, join, resolve } from 'node:path';
import { releaseName } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { hostedBundles } from '../../deliver/hosting/hosted-bundles.ts';
import { releaseFiles } from '../../deliver/hosting/release-files.ts';
import {
  type LocalRelease,
  preparedByUserData,
  releaseFor,
} from '../../deliver/install/prepare.ts';
import { progressOf, takeSnapshot } from '../../deliver/install/server-snapshot.ts';
import { becomeRoot } from '../../deliver/ssh/root.ts';
import type { CommandContext } from '../context.ts';
import { deliver } from './deliver.ts';
import { loginsTo, proxiesOf, type ServerFlags } from './logins.ts';

/** Options of `landfall push`. */
export interface PushFlags extends ServerFlags {
  readonly release: string;
  /** Updates a server that is installed. */
  readonly update?: boolean;
  /** Also a release that was rolled back. */
  readonly retry?: boolean;
}

/**
 * Sends the bundle to a server whose user-data has `release: push`. The keys and the pin of that
 * user-data decide what the server accepts.
 * @throws LandfallError SSH_…, SERVER_UNFIT for a server that does not wait for this bundle
 */
export async function pushTo(
  context: CommandContext,
  server: string,
  flags: PushFlags,
): Promise<void> {
  const logins = loginsTo(context, server, flags);
  const proxies = await proxiesOf(context, flags);
  const releases = await bundlesAt(resolve(context.cwd, flags.release));
  await using connection = await logins.open();
  const root = await becomeRoot(connection);
  await using snapshot = await takeSnapshot(root);
  const local = releaseFor(snapshot.server, releases);
  if ((await progressOf(snapshot, local.pinned.manifestSha256)) === 'fresh') throw notWaiting();
  const prepared = await preparedByUserData(snapshot, local);
  await deliver(context, flags, { logins, root, prepared, proxies });
}

/** Reads the heads of the bundles in a folder, or of one. */
export async function bundlesAt(source: string): Promise<LocalRelease[]> {
  const files = await releaseFiles(source);
  const folder = dirname(files[0]?.path ?? source);
  return (await hostedBundles(files)).map((pinned) => {
    const { product, version, arch } = pinned.release;
    return { pinned, path: join(folder, `${releaseName(product, version, arch)}.tar`) };
  });
}

function notWaiting(): LandfallError {
  return new LandfallError('SERVER_UNFIT', 'the server does not wait for a bundle', {
    hint: {
      en: 'Wait until cloud-init has run the user-data, or set the server up with `landfall install`.',
      zh: '等 cloud-init 执行完 user-data，或用 `landfall install` 部署服务器。',
    },
  });
}
