import { sha256Hex } from '#contract/trust/digest.ts';
import { goRouteEnvironment } from '../host/download/route-environment.ts';
import { environmentFile } from '../host/environment-file.ts';
import { isFile, readText, removeFile, writeText } from '../host/files.ts';
import { systemBundle } from '../host/trust-variables.ts';
import type { Context } from '../stage/stage.ts';
import { clientFilesAreRight, writeClientFiles } from './client-files.ts';
import { dockerProxyFile, proxyDropIn, proxyDropInText } from './proxy-settings.ts';

/** Returns whether dockerd or the command `docker` has another proxy than the site. */
export async function proxyIsWrong(context: Context): Promise<boolean> {
  const { host } = context;
  const right = await Promise.all(
    dockerFiles(context).map(async ({ path, text, mode }) =>
      text === ''
        ? (await readText(host, path)) === undefined
        : await isFile(host, path, text, { mode }),
    ),
  );
  return right.includes(false) || !(await clientFilesAreRight(context));
}

/** Sets the proxy of dockerd and the command `docker`, or removes an earlier one. */
export async function writeProxy(context: Context): Promise<void> {
  const { host } = context;
  const files = dockerFiles(context);
  // Removed in reverse order: dockerd does not start if the drop-in names a missing file.
  for (const { path } of files.filter(({ text }) => text === '').reverse()) {
    await removeFile(host, path);
  }
  for (const { path, text, mode } of files.filter(({ text }) => text !== '')) {
    await writeText(host, path, text, { mode });
  }
  await writeClientFiles(context);
}

/** Returns the proxy files of dockerd; those with an empty text must not exist. */
function dockerFiles({
  site,
}: Context): ReadonlyArray<{ path: string; text: string; mode: number }> {
  const variables = environmentFile({ ...goRouteEnvironment(site, 'host'), ...dockerTrust(site) });
  return [
    { path: dockerProxyFile, text: variables, mode: 0o600 },
    { path: proxyDropIn, text: variables && proxyDropInText, mode: 0o644 },
  ];
}

/** dockerd reads certificate authorities once: the digest makes this stage restart it after a change. */
function dockerTrust({ ca }: Context['site']): Readonly<Record<string, string>> {
  if (ca === undefined) return {};
  return { SSL_CERT_FILE: `/${systemBundle}`, LANDFALL_CA_SHA256: sha256Hex(ca) };
}
