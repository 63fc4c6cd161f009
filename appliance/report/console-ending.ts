import type { Report } from './report.ts';

/** Returns the last lines of a first boot, for people who follow it on the console of the provider. */
export function consoleEnding({ product, release, urls, tunnels, ...report }: Report): string[] {
  const [url] = urls;
  const [tunnel] = tunnels;
  const open = url
    ? `${url.url}  (${url.part})`
    : tunnel && `${tunnel.url}, with ${tunnel.command}`;
  const { chatSignIn, ssh } = report;
  return [
    '',
    `${product} ${release} is ready.`,
    ...(open === undefined ? [] : [`Open:        ${open}`]),
    ...(chatSignIn === null ? [] : [`Sign in as:  ${chatSignIn}`]),
    'Password:    sudo landfall credentials  (after the login)',
    `Log in:      ${ssh.command}`,
    '',
  ];
}
