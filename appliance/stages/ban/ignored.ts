import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { banSettingsFile } from '#contract/server-paths.ts';
import { parseJson, schemaProblems } from '#contract/text/json.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';

const settingsSchema = z.strictObject({
  /** Addresses and ranges that are never banned. */
  ignore: z
    .array(z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()]))
    .max(256)
    .default([]),
});

/**
 * Returns the saved addresses that are never banned.
 * @throws LandfallError STATE_INVALID
 */
export async function keptAddresses(host: Host): Promise<string[]> {
  const text = (await readText(host, banSettingsFile)) ?? '{}';
  const parsed = settingsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.ignore;
  throw new LandfallError('STATE_INVALID', `/${banSettingsFile} is not valid`, {
    hint: 'Fix or remove the file. It lists addresses and ranges: {"ignore": ["203.0.113.7"]}',
    problems: schemaProblems(parsed.error.issues),
  });
}

/** Renders the settings file. */
export function formatIgnored(ignore: readonly string[]): string {
  return `${JSON.stringify({ ignore }, null, 2)}\n`;
}

/**
 * Returns the value of fail2ban's `ignoreip`: these addresses and ranges, loopback and link-local. IPv6
 * addresses are widened to their /64, because a ban covers the whole network. Link-local addresses
 * include the router of this server.
 */
export function neverBanned(ignored: readonly string[]): string {
  const widened = ignored.map((text) => {
    const [address = '', bits = '128'] = text.split('/');
    return /^[^.]*:[^.]*$/.test(address) && Number(bits) > 64 ? `${address}/64` : text;
  });
  return ['127.0.0.0/8', '::1', 'fe80::/10', ...new Set(widened)].join(' ');
}

/** Returns the client addresses of current SSH sessions; empty if logind tracks none. */
export async function addressesOfSessions(host: Host): Promise<string[]> {
  const list = await host.run('loginctl', ['list-sessions', '--no-legend'], { accept: [1] });
  const ids = list.stdout.split('\n').flatMap((line) => line.trim().split(/\s+/)[0] || []);
  const hosts = (await Promise.all(ids.map((id) => hostOfSession(host, id)))).flat();
  const addresses = hosts.filter((from) => z.union([z.ipv4(), z.ipv6()]).safeParse(from).success);
  return [...new Set(addresses)].sort();
}

/** Queries one session: with several, loginctl stops at the first that has ended. */
async function hostOfSession(host: Host, id: string): Promise<string[]> {
  const asked = ['--property=RemoteHost', '--property=State', id];
  const { stdout } = await host.run('loginctl', ['show-session', ...asked], { accept: [1] });
  // An ended session can stay in the state "closing" indefinitely.
  if (/^State=closing$/m.test(stdout)) return [];
  return /^RemoteHost=(.+)$/m.exec(stdout)?.slice(1) ?? [];
}
