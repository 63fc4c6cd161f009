import type { Problem } from '#contract/errors.ts';
import { formatOpening } from '#contract/site/opening.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { alignRows } from '#contract/text/table.ts';
import type { Differences } from './differences.ts';
import type { FirewallFacts } from './table.ts';

/** The output of `landfall firewall list --json`. */
interface FirewallList {
  /** Ports of SSH. */
  readonly ssh: readonly number[];
  /** Other open ports, such as `443/tcp`. */
  readonly open: readonly string[];
  /** Private endpoints that containers may reach, such as `10.0.0.2:7890`. */
  readonly reachable: readonly string[];
  readonly problems: readonly Problem[];
}

export function listFirewall(
  facts: FirewallFacts,
  { problems, closedHere }: Differences,
): FirewallList {
  return {
    ssh: facts.ssh,
    open: facts.openings.map(formatOpening),
    reachable: facts.destinations.map(({ address, port }) =>
      address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`,
    ),
    problems: [...problems, ...closedHere],
  };
}

/** Formats the list as text. */
export function describeFirewall({ ssh, open, reachable, problems }: FirewallList): string {
  return [
    'From outside, over IPv4 and IPv6:',
    ...alignRows([
      ...ssh.map((port) => [`  ${port}/tcp`, 'SSH, new connections are rate-limited']),
      ...open.map((port) => [`  ${port}`]),
    ]),
    ...(reachable.length > 0
      ? [`Private endpoints that containers can reach: ${reachable.join(', ')}`]
      : []),
    ...problems.map((problem) => `! ${formatProblem(problem)}`),
  ].join('\n');
}
