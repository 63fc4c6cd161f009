import { fromBase64 } from '#contract/text/bytes.ts';
import { plainHost, portSchema, usableName } from '../model/text.ts';
import { Fields } from '../source/fields.ts';
import type { Reason } from '../source/reasons.ts';
import type { Position, Report } from '../source/report.ts';

/** A link, split and decoded. */
export interface Link {
  /** Lower case. */
  readonly scheme: string;
  /** Before the last `@`, not decoded; undefined without `@`. */
  readonly user: string | undefined;
  /** Without brackets, lower case. */
  readonly host: string;
  /** Text after the host. */
  readonly port: string;
  /** The parameters of the query. */
  readonly fields: Fields;
  /** The decoded fragment; empty without one. */
  readonly name: string;
}

/**
 * Splits `scheme://user@host:port/?key=value#name`. Decodes more tolerantly than URL, because names
 * often contain a literal % or characters that URL rejects.
 * @returns undefined after a reported problem
 */
export function splitLink(text: string, position: Position, report: Report): Link | undefined {
  const refuse = (reason: Reason, hint?: Reason) => void report.problem(position, reason, hint);
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text) ?? [];
  const hash = rest.indexOf('#');
  const [main, fragment] = hash === -1 ? [rest, ''] : [rest.slice(0, hash), rest.slice(hash + 1)];
  const [before = '', ...queries] = main.split('?');
  const authority = before.replace(/\/+$/, '');
  const at = authority.lastIndexOf('@');
  if (authority.includes('/', report.strict ? 0 : at + 1)) return refuse('link-address', 'encode');
  const address = /^(\[[^\]]*\]|[^:[\]]*)(?::([\d,-]+))?$/.exec(authority.slice(at + 1));
  if (address === null || !address[1]) return refuse('link-host', 'encode');
  if (main.includes('&amp;') && report.strict) return refuse('link-escaped', 'replace-amp');
  const query = queries.join('?').replaceAll('&amp;', '&');
  const parameters = parseQuery(query, report.strict);
  if (parameters === undefined) return refuse('link-parameter', 'encode');
  return {
    scheme: scheme.toLowerCase(),
    user: at === -1 ? undefined : authority.slice(0, at),
    host: plainHost(address[1]),
    port: address[2] ?? '',
    fields: new Fields(report, { value: undefined, positionOf: () => position }, [], parameters),
    name: usableName(decode(fragment) ?? fragment),
  };
}

/** Returns the parameters. Of a repeated one, clients use the first, as Go does. */
function parseQuery(query: string, strict: boolean): Record<string, string> | undefined {
  const values = new Map<string, string>();
  for (const part of query.split('&').filter(Boolean)) {
    const [key = '', ...rest] = part.split('=');
    const [name, value] = [decode(key), decode(rest.join('='))];
    const isValid = name !== undefined && value !== undefined;
    if (strict && (!isValid || values.has(name))) return undefined;
    // Text that is no valid encoding is meant literally.
    const [literal, text] = [name ?? key, value ?? rest.join('=')];
    if (!values.has(literal)) values.set(literal, text);
  }
  return Object.fromEntries(values);
}

/** Decodes percent-encoding; undefined if it is invalid. `+` stays, because base64 contains it. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns name, server and port of a link. A link without a name is named after its server. */
export function addressOf({ host, port, name, fields }: Link, defaultPort?: number) {
  const number = port === '' ? defaultPort : /^\d{1,5}$/.test(port) ? Number(port) : Number.NaN;
  if (number === undefined)
    fields.report.problem(fields.position, { at: 'port', reason: 'missing' });
  return {
    name: name.trim() || nameOfServer(host, `${number}`),
    server: host,
    port: fields.check('port', portSchema, number),
  };
}

/** Returns the name of a proxy that has none. */
export function nameOfServer(host: string, port: string): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns the decoded user of a link, or reports that it is missing or invalid. */
export function secretOf({ user, fields }: Link, what: string): string | undefined {
  const secret = user === undefined ? undefined : decode(user);
  if (secret) return secret;
  fields.report.problem(fields.position, { at: what, reason: 'missing-or-invalid' }, 'encode');
  return undefined;
}

/** Reads a parameter that is 1, 0, true or false. */
export function flagOf(fields: Fields, ...keys: readonly string[]): boolean | undefined {
  const key = keys.find((each) => fields.has(each)) ?? keys[0] ?? '';
  if (typeof fields.raw(key) === 'boolean') return fields.flag(key);
  const text = fields.text(key)?.toLowerCase();
  if (text === undefined) return undefined;
  if (/^(?:1|true)$/.test(text)) return true;
  if (/^(?:0|false)$/.test(text)) return false;
  return fields.flaw(key, 'no-digit');
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes text in base64 with either alphabet, with or without padding, and across lines. Undefined
 * if it is not base64 of UTF-8.
 */
export function fromBase64Text(text: string): string | undefined {
  const plain = text
    .replace(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/=+$/, '');
  if (plain === '' || !/^[A-Za-z0-9+/]+$/.test(plain)) return undefined;
  const bytes = fromBase64(plain);
  try {
    return bytes && decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
