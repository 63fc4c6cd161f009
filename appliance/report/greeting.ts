import type { Report } from './report.ts';

/** What people read when they log in to a server that is up. */
export function renderGreeting({ product, release, urls }: Report): string {
  const lines = [
    `${product} ${release} is up.`,
    ...urls.slice(0, 4).map(({ part, url }) => `${url}  (${part})`),
    'Passwords:    sudo landfall credentials',
    'The report:   landfall report',
  ];
  return `\n${lines.map((line) => `  ${line}\n`).join('')}\n`;
}
