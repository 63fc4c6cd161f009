import { z } from 'zod';
import { hasPlainHost } from '#contract/site/network/plain-host.ts';
import { because } from '../source/reasons.ts';

/** Texts of proxies. Every program that gets them reads them alike. */

/** Control characters, lone surrogates, and marks that reverse or hide text. Emoji need U+200D. */
const unsafe = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u;

/** Line breaks and other control characters, which become a space in names. */
const control = /[\p{Cc}\u2028\u2029]+/gu;
/** Removed from names: marks that hide or reorder text. */
const hidden = /[\p{Cs}\u200b\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;

const plain = (max: number) =>
  z
    .string()
    .min(1, because('empty'))
    .max(max, because(`too-long ${max}`))
    .refine((text) => !unsafe.test(text), because('control-characters'));

/** Names with a meaning in mihomo or in the exported files. */
const reserved = /^(?:DIRECT|REJECT|REJECT-DROP|PASS|COMPATIBLE|GLOBAL|BLOCK|FINAL)$/i;

const maxNameLength = 128;

/**
 * Returns a name without hidden characters, and not longer than allowed. Providers write dates, flags
 * and advertisements into names.
 */
export function cleanName(text: string): string {
  const visible = text
    .slice(0, maxNameLength * 8)
    .replace(control, ' ')
    .replace(hidden, '');
  const short = visible.replace(/ {2,}/g, ' ').trim().slice(0, maxNameLength);
  // Do not cut a character in halves.
  return short.replace(/[\ud800-\udbff]$/, '').trim();
}

/** Returns a name without hidden characters that no program reserves. */
export function usableName(text: string): string {
  const name = cleanName(text);
  return reserved.test(name) ? `${name} 2` : name;
}

/** The name of a proxy or group. */
export const nameSchema = plain(maxNameLength)
  .refine((name) => name === cleanName(name), because('hidden-characters'))
  .refine((name) => !reserved.test(name), because('reserved'));

/** A password, key or user name. */
export const secretSchema = plain(1024);

/** A path with an optional query. In mihomo, `ed` sets early data. */
export const pathSchema = plain(2048)
  .refine((path) => path.startsWith('/'), because('no-slash'))
  .refine((path) => !/%(?![0-9a-f]{2})/i.test(path), because('path-percent'))
  .refine((path) => !hasEarlyData(path), because('early-data'));

function hasEarlyData(path: string): boolean {
  const start = path.indexOf('?');
  return start !== -1 && /(?:^|&)ed=/.test(path.slice(start + 1));
}

/** Splits early data off a path: programs of the v2ray family write `/path?ed=2048`. */
export function splitPath(text: string | undefined): { path: string; early: number | undefined } {
  const full = text === undefined || text === '' ? '/' : text;
  const [before = '', ...queries] = full.split('?');
  const parts = queries.join('?').split('&');
  const early = parts.find((part) => part.startsWith('ed='))?.slice(3) ?? '';
  const others = parts.filter((part) => !part.startsWith('ed=')).join('&');
  const rest =
    others === '' && early !== '' ? before : full.includes('?') ? `${before}?${others}` : full;
  const size = /^\d{1,5}/.exec(early)?.[0];
  return {
    path: rest.startsWith('/') ? rest : `/${rest}`,
    early: Math.min(Number(size ?? 0), 65_535) || undefined,
  };
}

/** The name of a gRPC service. */
export const serviceSchema = plain(1024);

/**
 * A name that is only sent: the server name of TLS or the header Host. Many are no host names, and
 * servers that check neither accept them.
 */
export const sentNameSchema = plain(253);

/** A host name or an IP address, in lower case and without brackets. */
export const hostSchema = z
  .string()
  .min(1, because('empty'))
  .max(253, because('too-long 253'))
  .refine(isHost, because('no-host'));

/** Returns a host in lower case, without brackets and without the dot of a complete name. */
export function plainHost(text: string): string {
  return text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/(?<=[^.])\.$/, '')
    .toLowerCase();
}

/** The identifier of a user in VMess, VLESS and TUIC, in lower case. */
export const uuidSchema = z
  .string()
  .regex(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/, because('no-uuid'));

// Created once: a schema takes longer to create than to use.
const ipv4 = z.ipv4();
const ipv6 = z.ipv6();

/** Returns whether a text is an IPv4 or IPv6 address, without brackets. */
export function isAddress(text: string): boolean {
  return ipv4.safeParse(text).success || isIpv6(text);
}

/** Returns whether a text is an IPv6 address. Zones and embedded IPv4 addresses are not allowed. */
export function isIpv6(text: string): boolean {
  return /^[0-9a-f:]+$/.test(text) && ipv6.safeParse(text).success;
}

function isHost(text: string): boolean {
  if (text !== text.toLowerCase()) return false;
  return isAddress(text) || (/^[a-z0-9._-]+$/.test(text) && hasPlainHost(`https://${text}`));
}

const numbers = new Map<string, z.ZodInt>();

/** Returns the schema for whole numbers in a range. */
export function wholeNumber(min: number, max: number): z.ZodInt {
  const range = `${min} ${max}`;
  const error = because(`whole-number ${range}`);
  const schema = numbers.get(range) ?? z.int(error).min(min, error).max(max, error);
  numbers.set(range, schema);
  return schema;
}

export const portSchema = wholeNumber(1, 65_535);
