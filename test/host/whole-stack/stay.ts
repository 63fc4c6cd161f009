import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { resultsFolder } from './results.ts';
import { names, type WholeStack } from './whole-stack.ts';

/**
 * Set by `npm run demo`: `show` prints where the results are, `stay` also keeps the server running.
 */
export const demoVariable = 'LANDFALL_DEMO';

/** Whether the run is interactive. */
export function isDemo(): boolean {
  return Boolean(process.env[demoVariable]);
}

/**
 * Prints what is running and its URLs. Keeps the server running until the process ends, if
 * requested.
 */
export async function showAndStay(stack: WholeStack | undefined): Promise<void> {
  const wanted = process.env[demoVariable];
  if (!stack || !wanted) return;
  const results = relative('.', resultsFolder);
  const table = await readFile(join(resultsFolder, 'smoke-server.txt'), 'utf8').catch(() => '');
  console.log(`\n== landfall smoke, on the server\n${table.replace(/^(?=.)/gm, '  ')}`);
  console.log(`== results\n${resultPaths(results)}`);
  if (wanted !== 'stay') return;
  console.log(`\n== running until Ctrl-C\n${accessHints(stack, results)}`);
  for (;;) await sleep(2 ** 30);
}

function resultPaths(results: string): string {
  return `  screenshots     ${results}/*.png
  report          ${results}/report.txt of the server
  smoke tests     ${results}/smoke-*.txt, from outside and on the server
  open ports      ${results}/ports-v4.txt, ports-v6.txt`;
}

function accessHints({ premises: { host, administrator } }: WholeStack, results: string): string {
  const docker = `docker -H unix://${process.env.LANDFALL_TEST_ENGINE} exec -it`;
  return `  on the server   ${docker} ${host.name} bash
  passwords       ${docker} ${host.name} landfall credentials
  from outside    ${docker} ${administrator.name} ssh -i /root/key ops@${host.addresses.v4}
  in a browser    https://${names.ui}/ and https://${names.docs}/, from this machine, with
                  this line in /etc/hosts:
                  ${host.addresses.v4} ${Object.values(names).join(' ')}
                  and ${results}/pebble-root.pem as a trusted root (new in each run)`;
}
