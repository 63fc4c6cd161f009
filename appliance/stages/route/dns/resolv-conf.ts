import { lstat, readlink } from 'node:fs/promises';
import { z } from 'zod';
import { addressesOf } from '#contract/site/network/dns.ts';
import type { Site } from '#contract/site/site.ts';
import { isMissing, readRegular } from '#files/open-regular.ts';
import { replaceLink } from '#files/replace-link.ts';
import { removeFile, writeText } from '../../../server/host/files.ts';
import type { Host } from '../../../server/host/host.ts';
import { isPresent } from '../../../server/host/service.ts';
import { StateFile } from '../../../server/host/state-file.ts';

const resolvConf = 'etc/resolv.conf';
/** What /etc/resolv.conf was before, to restore it. */
const originalFile = 'var/lib/landfall/resolv-conf.json';

const maxBytes = 4 << 20;

const originalSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('missing'), text: z.literal('') }),
  z.strictObject({ kind: z.literal('link'), target: z.string(), text: z.string() }),
  z.strictObject({ kind: z.literal('file'), mode: z.int(), text: z.string() }),
]);
const storedOriginal = new StateFile(originalFile, originalSchema, {
  mode: 0o600,
  isLine: true,
  hint: `Move it away and create /${resolvConf} again.`,
});

/** A state of /etc/resolv.conf: its kind, and the text that programs read. */
export type ResolvConf = z.infer<typeof originalSchema>;

/** Returns /etc/resolv.conf as it is without Landfall. @throws LandfallError STATE_INVALID */
export async function originalResolvConf(host: Host): Promise<ResolvConf> {
  return (await storedOriginal.read(host)) ?? (await currentResolvConf(host));
}

/**
 * Renders /etc/resolv.conf with the DNS servers of the site. Options and, without `dns.search`, the
 * search domains of the original file are kept.
 */
export function renderResolvConf(dns: NonNullable<Site['dns']>, original: string): string {
  const keptLines = dns.search.length > 0 ? /^\s*options\s/ : /^\s*(?:options|search|domain)\s/;
  return [
    '# Made by Landfall. `sudo landfall route off` restores the previous file.',
    ...addressesOf(dns).map((address) => `nameserver ${address}`),
    ...(dns.search.length > 0 ? [`search ${dns.search.join(' ')}`] : []),
    ...original.split('\n').filter((line) => keptLines.test(line)),
    '',
  ].join('\n');
}

/** Returns whether /etc/resolv.conf is a file with this text. A link to such a file does not count. */
export async function isResolvConf(host: Host, text: string): Promise<boolean> {
  const current = await currentResolvConf(host);
  return current.kind === 'file' && current.text === text && current.mode === 0o644;
}

/**
 * Replaces /etc/resolv.conf, also if it is a link, and stores the original once.
 * @throws LandfallError STATE_INVALID
 */
export async function replaceResolvConf(host: Host, text: string): Promise<void> {
  const original = await originalResolvConf(host);
  await storedOriginal.write(host, original);
  await writeText(host, resolvConf, text);
}

/** Returns whether Landfall has replaced /etc/resolv.conf. */
export async function isReplaced(host: Host): Promise<boolean> {
  return await isPresent(host, { files: [{ path: originalFile, text: undefined }] });
}

/** Restores /etc/resolv.conf. @throws LandfallError STATE_INVALID */
export async function restoreResolvConf(host: Host): Promise<void> {
  const original = await storedOriginal.read(host);
  if (original === undefined) return;
  if (original.kind === 'missing') await removeFile(host, resolvConf);
  else if (original.kind === 'link') await replaceLink(host.path(resolvConf), original.target);
  else await writeText(host, resolvConf, original.text, { mode: original.mode });
  await storedOriginal.remove(host);
}

async function currentResolvConf(host: Host): Promise<ResolvConf> {
  const path = host.path(resolvConf);
  try {
    const found = await lstat(path);
    const text = (await readRegular(path, maxBytes))?.toString() ?? '';
    if (found.isSymbolicLink()) return { kind: 'link', target: await readlink(path), text };
    return { kind: 'file', mode: found.mode & 0o7777, text };
  } catch (error) {
    if (isMissing(error)) return { kind: 'missing', text: '' };
    throw error;
  }
}
