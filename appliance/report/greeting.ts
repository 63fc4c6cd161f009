import { openSteps } from './next-steps.ts';
import type { Report } from './report.ts';

/** Limits that keep the greeting within one screen. */
const mostUrls = 4;
const mostSteps = 5;

/** Renders the login message of a server that is set up. */
export function renderGreeting(report: Report): string {
  const { product, release, urls, chatSignIn } = report;
  const lines = [
    `${product} ${release} is installed here.`,
    ...urls.slice(0, mostUrls).map(({ part, url }) => `${url}  (${part})`),
    'Status:       landfall status',
    ...(chatSignIn === null ? [] : [`Chat sign-in: ${chatSignIn}`]),
    'Passwords:    sudo landfall credentials',
    'Report:       landfall report',
    ...stepLines(openSteps(report)),
  ];
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

function stepLines(steps: readonly string[]): string[] {
  if (steps.length === 0) return [];
  // The last line counts the steps that do not fit.
  const shown = steps.length > mostSteps ? steps.slice(0, mostSteps - 1) : steps;
  const more = steps.length - shown.length;
  return [
    '',
    'Next steps:',
    ...shown.map((step) => `  ${step}`),
    ...(more > 0 ? [`  and ${more} more: landfall report`] : []),
  ];
}
