import { sha256Hex } from '#contract/trust/digest.ts';
import { goRouteEnvironment } from '../host/download/route-environment.ts';
import { environmentFile } from '../host/environment-file.ts';
import { install, isInPlace, type Service } from '../host/service.ts';
import { systemBundle } from '../host/trust-variables.ts';
import type { Context } from '../stage/stage.ts';
import { clientFilesAreRight, writeClientFiles } from './client-files.ts';
import { dockerProxyFile, proxyDropIn, proxyDropInText } from './proxy-settings.ts';

/** Returns whether dockerd or the command `docker` has another proxy than the site. */
export async function proxyIsWrong(context: Context): Promise<boolean> {
  const { host } = context;
  return !(await isInPlace(host, dockerProxy(context))) || !(await clientFilesAreRight(context));
}

/** Sets the proxy of dockerd and the command `docker`, or removes an earlier one. */
export async function writeProxy(context: Context): Promise<void> {
  await install(context.host, dockerProxy(context));
  await writeClientFiles(context);
}

/** Returns the proxy files of dockerd, which does not start if the drop-in names a missing file. */
function dockerProxy({ site }: Context): Service {
  const variables =
    environmentFile({ ...goRouteEnvironment(site, 'host'), ...dockerTrust(site) }) || undefined;
  return {
    files: [
      { path: dockerProxyFile, text: variables, mode: 0o600 },
      { path: proxyDropIn, text: variables && proxyDropInText },
    ],
  };
}

/** dockerd reads certificate authorities once: the digest makes this stage restart it after a change. */
function dockerTrust({ ca }: Context['site']): Readonly<Record<string, string>> {
  if (ca === undefined) return {};
  return { SSL_CERT_FILE: `/${systemBundle}`, LANDFALL_CA_SHA256: sha256Hex(ca) };
}
