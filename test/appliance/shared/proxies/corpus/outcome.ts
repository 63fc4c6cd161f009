import { LandfallError, type Problem } from '#contract/errors.ts';
import { formatRule } from '#proxies/clash/rules.ts';
import type { ProxySettings } from '#proxies/model/settings.ts';
import { formatNameserver } from '#proxies/model/settings.ts';
import { type Imported, readProxies } from '#proxies/read-proxies.ts';
import { byPosition } from '#proxies/source/report.ts';
import type { Case } from './cases.ts';

/** The name of the source in problems. */
const file = 'x';

/** Imports a case. Errors of another class than LandfallError are thrown. */
export function importCase({
  bytes,
  skip,
}: Pick<Case, 'bytes' | 'skip'>): Imported | LandfallError {
  try {
    return readProxies(bytes, { file, strict: !skip });
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
}

/**
 * Formats what an import found as the lines of an expectation. Of the fields of proxies, groups, rules
 * and settings, only those that the case states.
 */
export function outcomeOf(imported: Imported | LandfallError, stated: readonly string[]): string[] {
  if (imported instanceof LandfallError) return errorLines(imported);
  const { settings, report } = imported;
  const leftOut = byPosition(Object.values(report.leftOut).flatMap(({ details }) => details));
  return [
    ...proxyLines(settings.proxies, stated),
    ...(stated.some((line) => line.startsWith('group ')) ? groupLines(settings) : []),
    ...(stated.some((line) => line.startsWith('rule ')) ? ruleLines(settings) : []),
    ...stated.flatMap((line) => settingLine(settings, /^set (\S+)/.exec(line)?.[1])),
    ...byPosition(report.ignored.details).map((note) => `note ${problemLine(note)}`),
    ...leftOut.map((problem) => `left out ${problemLine(problem)}`),
  ];
}

function errorLines({ code, message, problems }: LandfallError): string[] {
  return problems.length > 0 ? [code, ...problems.map(problemLine)] : [`${code} ${message}`];
}

function problemLine({ line, column, message, hint }: Problem): string {
  const position = [line, column].filter((part) => part !== undefined).join(':');
  return `${position} ${message}${hint ? ` (${hint})` : ''}`;
}

function proxyLines(proxies: ProxySettings['proxies'], stated: readonly string[]): string[] {
  const fields = statedFields(stated);
  return proxies.flatMap((proxy, index) => [
    `${proxy.type} ${hostAndPort(proxy)} ${proxy.name}`,
    ...(fields[index] ?? []).map((path) => `  ${path} ${valueAt(proxy, path)}`),
  ]);
}

/** Returns the paths of the fields that are stated for each proxy. */
function statedFields(stated: readonly string[]): string[][] {
  const fields: string[][] = [];
  for (const line of stated) {
    if (/^(?:group|rule|set|note|left out) /.test(line)) break;
    const path = /^ {2}(\S+)/.exec(line)?.[1];
    if (path === undefined) fields.push([]);
    else fields.at(-1)?.push(path);
  }
  return fields;
}

function hostAndPort({ server, port }: { readonly server: string; readonly port: number }): string {
  return `${server.includes(':') ? `[${server}]` : server}:${port}`;
}

function valueAt(value: unknown, path: string): string {
  const found = path
    .split('.')
    .reduce((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
  return Array.isArray(found) ? found.map((each) => [each].flat().join('-')).join(',') : `${found}`;
}

function groupLines(settings: ProxySettings): string[] {
  return settings['proxy-groups'].map(
    ({ name, type, proxies }) => `group ${type} ${name}: ${proxies.join(', ')}`,
  );
}

function ruleLines({ rules }: ProxySettings): string[] {
  return rules.map((rule) => `rule ${formatRule(rule)}`);
}

function settingLine(settings: ProxySettings, path: string | undefined): string[] {
  if (path === undefined) return [];
  if (path === 'dns.nameserver')
    return [`set ${path} ${settings.dns.nameserver.map(formatNameserver).join(',')}`];
  return [`set ${path} ${valueAt(settings, path)}`];
}
