import { rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Opening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { isFile, readText, removeFile, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import {
  captureFolder,
  captureUnitFile,
  clientDropIn,
  networkdDropIn,
  nftablesDropIn,
  offScript,
  onScript,
  overlayFile,
  tableFile,
} from './names.ts';
import { renderCandidateOverlay, renderOverlay } from './render-overlay.ts';
import { renderOff, renderOn } from './render-scripts.ts';
import { renderCaptureTable } from './render-table.ts';
import {
  renderCaptureUnit,
  renderClientDropIn,
  renderNetworkdDropIn,
  renderNftablesDropIn,
} from './render-units.ts';
import { clientResolvers } from './resolvers.ts';

/** All files of a capture. None contains a secret. The unit is the last one: it needs the others. */
export const captureFiles = [
  tableFile,
  overlayFile('active'),
  overlayFile('candidate'),
  offScript,
  onScript,
  nftablesDropIn,
  networkdDropIn,
  clientDropIn,
  captureUnitFile,
] as const;

type CaptureTexts = Readonly<Record<string, string>>;

/** Renders all files of a capture, by path. */
export async function renderCapture(
  host: Host,
  site: Pick<Site, 'dns'>,
  openings: readonly Opening[],
): Promise<CaptureTexts> {
  const resolvers = await clientResolvers(host, site);
  // Of new interfaces: a TUN interface without IPv6 rejects such an address. The kernel may lack the file.
  const disabled = await readText(host, 'proc/sys/net/ipv6/conf/default/disable_ipv6');
  const hasIPv6 = disabled?.trim() === '0';
  return {
    [tableFile]: renderCaptureTable(true),
    [overlayFile('active')]: renderOverlay({ ...resolvers, hasIPv6 }),
    [overlayFile('candidate')]: renderCandidateOverlay(resolvers),
    [offScript]: renderOff(host),
    [onScript]: renderOn(host, openings),
    [nftablesDropIn]: renderNftablesDropIn(),
    [networkdDropIn]: renderNetworkdDropIn(),
    [clientDropIn]: renderClientDropIn(),
    [captureUnitFile]: renderCaptureUnit(),
  };
}

/** Returns whether all files have these texts. */
export async function areWritten(host: Host, texts: CaptureTexts): Promise<boolean> {
  const same = captureFiles.map((path) => isFile(host, path, texts[path] ?? ''));
  return (await Promise.all(same)).every(Boolean);
}

/** Writes all files. */
export async function writeCapture(host: Host, texts: CaptureTexts): Promise<void> {
  for (const path of captureFiles) await writeText(host, path, texts[path] ?? '');
}

/** Returns whether a capture has files on this server. */
export async function hasCaptureFiles(host: Host): Promise<boolean> {
  const texts = await Promise.all(captureFiles.map((path) => readText(host, path)));
  return texts.some((text) => text !== undefined);
}

/** Removes some files, and their folders if these are empty. */
export async function removeCaptureFiles(host: Host, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await removeFile(host, path);
    if (path.includes('.d/')) await rmdir(host.path(dirname(path))).catch(() => undefined);
  }
}

/** Removes the folder of rules, table and overlays. */
export async function removeCaptureFolder(host: Host): Promise<void> {
  await rm(host.path(captureFolder), { recursive: true, force: true });
}
