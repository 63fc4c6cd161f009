import { compact } from '../model/draft.ts';
import { modes, type Settings } from '../model/settings.ts';
import { portSchema } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import type { General } from '../source/parts.ts';
import { quoted } from '../source/report.ts';
import { singBoxDns } from './dns.ts';
import { levels } from './write.ts';

/** Reads the ports, the mode, the log level and DNS. Export writes the other settings. */
export function singBoxGeneral(fields: Fields): General {
  const inbounds = fields.sections('inbounds');
  const http = inbounds.find((inbound) => inbound.text('type') === 'http');
  const socks = inbounds.find((inbound) => inbound.text('type') === 'socks');
  for (const inbound of inbounds) {
    if (inbound === http || inbound === socks) continue;
    const type = quoted(inbound.text('type') ?? '');
    inbound.report.note(inbound.position, `inbound${type}: not imported`);
  }
  const experimental = fields.section('experimental');
  const api = experimental?.section('clash_api');
  const mode = api?.choice('default_mode', modes, api.text('default_mode')?.toLowerCase());
  const listens = [http, socks].flatMap((inbound) => inbound?.text('listen') ?? []);
  const dns = fields.has('dns') ? singBoxDns(fields) : undefined;
  const [port, socksPort] = [http, socks].map((each) => each?.number('listen_port', portSchema));
  if (port !== undefined && port === socksPort)
    socks?.problem('listen_port', 'must differ from http');
  for (const inbound of [http, socks]) {
    inbound?.text('tag');
    inbound?.leaveOutRest();
  }
  for (const section of [api, experimental]) section?.leaveOutRest();
  return compact({
    port,
    'socks-port': socksPort,
    'allow-lan':
      listens.length > 0 ? listens.some((address) => !/^(?:127\.|::1$)/.test(address)) : undefined,
    mode,
    'log-level': logLevel(fields),
    dns,
  });
}

function logLevel(fields: Fields): Settings['log-level'] | undefined {
  const log = fields.section('log');
  log?.leaveOut(['output', 'timestamp']);
  const isOff = log?.flag('disabled') ?? false;
  const given = log?.text('level');
  log?.end();
  if (isOff) return 'silent';
  const names = { ...levels, trace: 'trace', error: 'error', fatal: 'fatal', panic: 'panic' };
  const found = Object.entries(names).find(([, name]) => name === given)?.[0];
  if (given !== undefined && found === undefined) {
    return log?.problem('level', 'unknown value', `Allowed: ${Object.values(names).join(', ')}.`);
  }
  if (found === 'trace') return 'debug';
  return found === 'fatal' || found === 'panic'
    ? 'error'
    : (found as Settings['log-level'] | undefined);
}
