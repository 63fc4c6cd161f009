import { limits, type Parts } from './model/settings.ts';
import { usableName } from './model/text.ts';
import { nameOfServer } from './protocols/link.ts';
import { type ProxyEntry, readEntry, readParts } from './protocols/registry.ts';
import { Fields, isMap } from './source/fields.ts';
import type { Report, Source } from './source/report.ts';

/** Returns whether JSON is a list of servers of SIP008, or of the clients from which it comes. */
export function isSip008(value: unknown): boolean {
  const servers = isMap(value) ? value.servers : value;
  return (
    Array.isArray(servers) &&
    servers.every((server) => isMap(server) && 'server_port' in server && 'method' in server)
  );
}

/** Reads servers of Shadowsocks (shadowsocks.org/doc/sip008.html). */
export function readSip008(source: Source, report: Report): Parts {
  const isList = !isMap(source.value);
  const root = isMap(source.value) ? source.value : { servers: source.value };
  const positionOf: Source['positionOf'] = (at) => source.positionOf(isList ? at.slice(1) : at);
  const fields = new Fields(report, { value: root, positionOf }, [], root);
  const list = { kind: 'proxy', max: limits.proxies, name: 'servers' } as const;
  const proxies = report.list(fields.sections('servers', 'proxy'), list, (server) =>
    report.entry('proxy', () => readServer(server)),
  );
  fields.ignore('version', [1, '1']);
  return { proxies, groups: [], rules: [], general: {} };
}

/** Its fields have the names of sing-box. */
function readServer(fields: Fields): ProxyEntry | undefined {
  return readEntry(fields, 'ss', () => {
    const entry = readParts(fields, 'ss', 'singBox');
    const { server, port } = entry;
    const name = usableName(fields.text('remarks') ?? '');
    // Neither is needed to connect.
    for (const key of ['id', 'group']) fields.has(key);
    return { ...entry, name: name || nameOfServer(`${server}`, `${port}`) };
  });
}
