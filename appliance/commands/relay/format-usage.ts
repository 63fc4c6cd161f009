import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import type { AccountUsage } from '../../relay/report/usage-report.ts';

/** Formats one line per key or person and limit. */
export function usageTable(usage: readonly AccountUsage[]): string {
  const heads = inLanguage({
    en: 'KEY|REQUESTS|TOKENS|ESTIMATED|REFUSED|NETWORKS|LIMIT|BUDGET|LEFT|RESET (UTC)',
    zh: '密钥|请求|TOKEN|估算|拒绝|网段|限额|预算|剩余|重置（UTC）',
  });
  const right = { align: 'right' } as const;
  const rows = usage.flatMap((account) => {
    const { requests, tokens, refused, networks, limits } = account;
    const counts = [`${requests}`, `${tokens}`, shareOf(account), `${refused}`, `${networks}`];
    const own = [nameOf(account), ...counts];
    if (limits.length === 0) return [own];
    return limits.map(({ limit, budget, left, reset }, index) => [
      ...(index === 0 ? own : own.map(() => '')),
      ...[limit, `${budget}`, `${left}`, reset.toISOString().slice(0, 10)],
    ]);
  });
  return formatTable(
    [heads.split('|'), ...rows],
    [{}, right, right, right, right, right, {}, right, right],
  );
}

/** Addresses of people come from the chat UI, so control characters are removed. */
function nameOf({ key, person }: AccountUsage): string {
  return person === undefined ? key : `${key}: ${plainLine(person, 60)}`;
}

function shareOf({ tokens, estimated }: AccountUsage): string {
  return `${tokens === 0 ? 0 : Math.round((estimated / tokens) * 100)} %`;
}

/** @param days of the sums */
export function usageJson(usage: readonly AccountUsage[], days: number): string {
  const accounts = usage.map(({ person, limits, ...account }) => ({
    ...account,
    person: person ?? null,
    limits: limits.map((limit) => ({ ...limit, reset: limit.reset.toISOString() })),
  }));
  return JSON.stringify({ days, accounts }, null, 2);
}

/** Formats one line per key or person and limit (RFC 4180). */
export function usageCsv(usage: readonly AccountUsage[]): string {
  const heads = ['key', 'person', 'requests', 'tokens', 'estimated', 'refused', 'networks'];
  const rows = usage.flatMap(
    ({ key, person = '', requests, tokens, estimated, refused, networks, limits }) => {
      const own = [key, person, requests, tokens, estimated, refused, networks];
      if (limits.length === 0) return [[...own, '', '', '', '']];
      return limits.map(({ limit, budget, left, reset }) => [
        ...own,
        ...[limit, budget, left, reset.toISOString()],
      ]);
    },
  );
  return [[...heads, 'limit', 'budget', 'left', 'reset'], ...rows]
    .map((row) => row.map((cell) => csvCell(`${cell}`)).join(','))
    .join('\r\n');
}

/** Spreadsheets run a cell that begins with one of these as a formula. */
const formula = /^[=+\-@\t\r]/;

function csvCell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
