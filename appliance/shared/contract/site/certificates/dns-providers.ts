import { providerTable } from './provider-table.ts';

const variablesByName: ReadonlyMap<string, readonly string[]> = new Map(
  providerTable
    .split(';')
    .filter((row) => row.includes(':'))
    .flatMap((row) => {
      const [head = '', variables = ''] = row.trim().split(':');
      const [names = '', prefix = ''] = head.split(' ');
      const all = variables.split(' ').filter(Boolean);
      const full = all.map((name) => prefix + name);
      return names.split('|').map((name) => [name, full] as const);
    }),
);

/** Returns whether lego has a DNS provider of this name, such as `alidns` or `rfc2136`. */
export function isDnsProvider(name: string): boolean {
  return variablesByName.has(name);
}

/** Returns the variables of a DNS provider in the order of its documentation; credentials come first. */
export function dnsVariables(provider: string): readonly string[] {
  return variablesByName.get(provider) ?? [];
}
