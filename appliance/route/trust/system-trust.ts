import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { siteCertificates } from '#contract/site/certificates/ca.ts';
import { isMissing } from '#files/open-regular.ts';
import { isFile, readText, removeFile, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { installPackages } from '../../host/packages/apt.ts';
import { systemBundle } from '../../host/trust-variables.ts';
import type { Context } from '../../stage/stage.ts';

/** Folder of additional certificate authorities; see update-ca-certificates(8). */
const folder = 'usr/local/share/ca-certificates';
const ours = /^landfall-site-\d+\.crt$/;
/** Written by cloud-init with user-data of the site. The files of this stage replace them. */
const cloudInits = /^cloud-init-ca-cert-\d+\.crt$/;
const tool = 'usr/sbin/update-ca-certificates';

type Inputs = Pick<Context, 'host' | 'site'>;

/** Returns what {@link applySystemTrust} would do. */
export async function systemTrustTodo({ host, site }: Inputs): Promise<string[]> {
  const wanted = siteCertificates(site);
  if ((await staleFiles(host, wanted)).length > 0) {
    return ['update the certificate authorities of the system'];
  }
  return (await isTrusted(host, wanted)) ? [] : ['trust the certificate authorities of the site'];
}

/**
 * Adds the site's certificate authorities to those of the system, and removes earlier ones of Landfall.
 * @throws LandfallError APT_FAILED, COMMAND_FAILED
 */
export async function applySystemTrust({
  host,
  site,
  report,
}: Inputs & Pick<Context, 'report'>): Promise<void> {
  if ((await systemTrustTodo({ host, site })).length === 0) return;
  const wanted = siteCertificates(site);
  if (wanted.length > 0 && !existsSync(host.path(tool))) {
    await installPackages(host, ['ca-certificates'], (line) => report.say(line));
  }
  const stale = await staleFiles(host, wanted);
  for (const [index, text] of wanted.entries()) {
    await writeText(host, fileOf(index), text, { mode: 0o644 });
  }
  for (const path of stale) await removeFile(host, path);
  // Without --fresh, the links of removed files stay in /etc/ssl/certs.
  const options = stale.length > 0 ? ['--fresh'] : [];
  if (existsSync(host.path(tool))) await host.run('update-ca-certificates', options);
}

/**
 * Verifies that the system trusts the site's certificate authorities.
 * @throws LandfallError ROUTE_BLOCKED
 */
export async function proveSystemTrust({ host, site }: Inputs): Promise<void> {
  if (await isTrusted(host, siteCertificates(site))) return;
  throw new LandfallError('ROUTE_BLOCKED', 'the system does not trust the CA of the site', {
    hint: `Run \`sudo update-ca-certificates --fresh\` and check whether /${systemBundle} contains it.`,
    retriable: false,
  });
}

async function isTrusted(host: Host, wanted: readonly string[]): Promise<boolean> {
  if (wanted.length === 0) return true;
  const files = await Promise.all(wanted.map((text, index) => isFile(host, fileOf(index), text)));
  const bundle = (await readText(host, systemBundle)) ?? '';
  return files.every(Boolean) && wanted.every((text) => bundle.includes(text));
}

/** Returns the files of earlier certificate authorities, and cloud-init's copies of the current ones. */
async function staleFiles(host: Host, wanted: readonly string[]): Promise<string[]> {
  const kept = new Set(wanted.map((_, index) => fileOf(index)));
  const stale: string[] = [];
  for (const path of (await namesIn(host)).map((name) => join(folder, name))) {
    const name = path.slice(folder.length + 1);
    if (ours.test(name) && !kept.has(path)) stale.push(path);
    if (cloudInits.test(name) && (await isCopy(host, path, wanted))) stale.push(path);
  }
  return stale;
}

async function isCopy(host: Host, path: string, wanted: readonly string[]): Promise<boolean> {
  const text = (await readText(host, path)) ?? '';
  return wanted.some((certificate) => certificate.trim() === text.trim());
}

function fileOf(index: number): string {
  return `${folder}/landfall-site-${index + 1}.crt`;
}

async function namesIn(host: Host): Promise<string[]> {
  try {
    return (await readdir(host.path(folder))).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
