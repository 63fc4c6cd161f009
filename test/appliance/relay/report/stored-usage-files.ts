/** Files of a server whose relay has counted, by path from the root. */

const folder = 'var/lib/landfall/relay-usage';
export const personKey = 'ab'.repeat(32);

/**
 * @param accounts used tokens by account; today, and yesterday
 * @param networks their number by account; today
 */
export function usageFiles(
  accounts: Readonly<Record<string, number>>,
  networks: Readonly<Record<string, number>> = {},
): Record<string, string> {
  const today = dayAgo(0);
  const use = (tokens: number) => ({
    tokens,
    estimated: Math.floor(tokens / 4),
    requests: 2,
    refused: 1,
  });
  const state = {
    version: 1,
    journal: 3,
    latest: today,
    accounts: Object.fromEntries(
      Object.entries(accounts).map(([name, tokens]) => [
        name,
        { [dayAgo(1)]: use(400), [today]: use(tokens) },
      ]),
    ),
    open: [],
    networks: {
      day: today,
      accounts: Object.fromEntries(
        Object.entries(networks).map(([name, count]) => [
          name,
          Array.from({ length: count }, (_, index) => `${index}`.padStart(16, '0')),
        ]),
      ),
    },
  };
  return {
    [`${folder}/state.json`]: JSON.stringify(state),
    [`${folder}/journal-3.jsonl`]: '',
    [`${folder}/person-key`]: `${personKey}\n`,
  };
}

export function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
