import { openSteps } from './next-steps.ts';
import type { Report } from './report.ts';

/** A greeting that is longer than a screen helps nobody. */
const mostUrls = 4;
const mostSteps = 5;

/** What people read when they log in to a server that was brought up. */
export function renderGreeting(report: Report): string {
  const { product, release, urls } = report;
  const lines = [
    `${product} ${release} is installed here.`,
    ...urls.slice(0, mostUrls).map(({ part, url }) => `${url}  (${part})`),
    'Is all up?    landfall status',
    'Passwords:    sudo landfall credentials',
    'The report:   landfall report',
    ...stepLines(openSteps(report)),
  ];
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

function stepLines(steps: readonly string[]): string[] {
  if (steps.length === 0) return [];
  // What does not fit is named together, so that the list says how long it is.
  const shown = steps.length > mostSteps ? steps.slice(0, mostSteps - 1) : steps;
  const more = steps.length - shown.length;
  return [
    '',
    'What to do next:',
    ...shown.map((step) => `  ${step}`),
    ...(more > 0 ? [`  and ${more} more: landfall report`] : []),
  ];
}
